// Counts of parameters, of work and memory, and advice about tying.
#include <emscripten/bind.h>

#include "accounting/advice.h"
#include "accounting/compute.h"
#include "accounting/parameters.h"
#include "bindings/given.h"
#include "bindings/transfer.h"

namespace tied::bindings {
namespace {

// `listed`: rows of ListedTensor
Architecture model_at(Address architecture, Address listed, Address n_listed) {
  auto model = config_at<Architecture>(architecture);
  model.listed = {at<ListedTensor>(listed), n_listed};
  return model;
}

// `tying`: number of a TableTying
bool parameters(Address architecture, Address tying, Address listed, Address n_listed) {
  const auto model = model_at(architecture, listed, n_listed);
  const auto tables = static_cast<TableTying>(tying);
  return done(validate(model, tables)) && answered(count_parameters(model, tables));
}

// `given`: a Batch, whose cutoffs are apart
bool compute(Address architecture, Address given, Address cutoffs, Address n_cutoffs) {
  Batch batch;
  Given(given).read(batch);
  batch.heads.cutoffs = {at<std::uint64_t>(cutoffs), n_cutoffs};
  const auto model = config_at<Architecture>(architecture);
  return done(validate(model, batch.tying)) && done(validate(batch, model)) && answered(count_compute(model, batch));
}

// `given`: an AdviceContext
bool advise(Address architecture, Address given, Address listed, Address n_listed) {
  AdviceContext context;
  Given(given).read(context);
  Advice advice;
  const auto model = model_at(architecture, listed, n_listed);
  if (!done(validate(model)) || !done(advise_tying(advice, model, context))) return false;
  answer.write(advice);
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_accounting) {
  using emscripten::function;
  function("countParameters", &parameters);
  function("countCompute", &compute);
  function("adviseTying", &advise);
}

}  // namespace tied::bindings
