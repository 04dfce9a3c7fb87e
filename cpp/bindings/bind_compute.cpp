// Work and memory of a batch.
#include <cstdint>

#include <emscripten/bind.h>

#include "accounting/compute.h"
#include "bindings/architecture_numbers.h"
#include "bindings/given.h"

namespace tied::bindings {
namespace {

// `given`: a Batch, whose cutoffs are apart
bool compute(Address architecture, Address given, Address cutoffs, Address n_cutoffs) {
  Batch batch;
  Given(given).read(batch);
  batch.heads.cutoffs = {at<std::uint64_t>(cutoffs), n_cutoffs};
  const Architecture model = architecture_at(architecture);
  if (!done(validate(model, batch.tying)) || !done(validate(batch, model))) return false;
  return answered(count_compute(model, batch));
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_compute) { emscripten::function("countCompute", &compute); }

}  // namespace tied::bindings
