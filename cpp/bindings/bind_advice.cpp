// Advice about tying; web/core/accounting/advise-tying.ts is the JavaScript side.

#include <emscripten/bind.h>

#include "accounting/advice.h"
#include "bindings/architecture_numbers.h"
#include "bindings/transfer.h"

namespace tied::bindings {
namespace {

static_assert(sizeof(Precedent) == 3 * sizeof(double) && sizeof(MeasuredLoss) == 4 * sizeof(double),
              "lists of them are arrays of doubles in web/core/accounting/advise-tying.ts");

// `context`: [number of a StartsFrom, budget, difference of a measured loss], NaN if absent.
// `precedents`: [tied, untied, ties] each; `measured`: [untied, vocabSize, low, high] each.
bool advise(Address architecture, Address context_numbers, Address precedents, Address precedent_count,
            Address measured, Address measured_count) {
  const auto* given = at<double>(context_numbers);
  AdviceContext context;
  context.starts_from = static_cast<StartsFrom>(static_cast<int>(given[0]));
  if (given[1] == given[1]) context.parameter_budget = static_cast<std::uint64_t>(given[1]);
  if (given[2] == given[2]) context.loss_difference = given[2];
  context.precedents = {at<Precedent>(precedents), precedent_count};
  context.measured = {at<MeasuredLoss>(measured), measured_count};

  Advice advice;
  const Architecture model = architecture_at(architecture);
  if (!done(validate(model)) || !done(advise_tying(advice, model, context))) return false;
  answer.write(advice);
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_advice) { emscripten::function("adviseTying", &advise); }

}  // namespace tied::bindings
