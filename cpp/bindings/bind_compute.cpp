// Work and memory of a batch.
#include <cstdint>
#include <span>

#include <emscripten/bind.h>

#include "accounting/compute.h"
#include "bindings/architecture_numbers.h"

namespace tied::bindings {
namespace {

// `numbers`: sequences, tokens, encoder_tokens, tying, precision, optimizer_states, samples, divisor,
// culled_vocab_size, clusters, then the cutoffs. web/core/accounting/count-compute.ts has the same order.
bool compute(Address architecture, Address numbers, Address count) {
  const std::span given(at<std::uint64_t>(numbers), count);
  const Batch batch = {.sequences = given[0],
                       .tokens = given[1],
                       .encoder_tokens = given[2],
                       .tying = static_cast<TableTying>(given[3]),
                       .precision = static_cast<Precision>(given[4]),
                       .optimizer_states = given[5],
                       .heads = {.samples = given[6],
                                 .cutoffs = given.subspan(10),
                                 .divisor = given[7],
                                 .culled_vocab_size = given[8],
                                 .clusters = given[9]}};
  const Architecture model = architecture_at(architecture);
  if (!done(validate(model, batch.tying)) || !done(validate(batch, model))) return false;
  return answered(count_compute(model, batch));
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_compute) { emscripten::function("countCompute", &compute); }

}  // namespace tied::bindings
