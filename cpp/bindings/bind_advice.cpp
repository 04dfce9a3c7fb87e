// Advice about tying: web/core/advise-tying.ts is the other end.
#include <array>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "accounting/advice.h"
#include "bindings/architecture_numbers.h"
#include "bindings/transfer.h"

namespace tied::bindings {
namespace {

static_assert(sizeof(Precedent) == 3 * sizeof(double) && sizeof(MeasuredLoss) == 4 * sizeof(double),
              "lists of them are arrays of doubles in web/core/advise-tying.ts");

// `context`: [startsFrom, whether there is a budget, budget, whether a loss was measured, its difference, precision,
// optimizerNumbers], choices as places in the lists of web/core. `precedents`: [tied, untied, ties] each; `measured`:
// [untied, vocabSize, low, high] each.
AdviceContext context_at(Address address, Address precedents, Address precedent_count, Address measured,
                         Address measured_count) {
  const auto* numbers = at<double>(address);
  AdviceContext context;
  context.starts_from = static_cast<StartsFrom>(static_cast<int>(numbers[0]));
  if (numbers[1] != 0) context.parameter_budget = Whole(static_cast<std::uint64_t>(numbers[2]));
  if (numbers[3] != 0) context.loss_difference = numbers[4];
  context.batch.precision = static_cast<Precision>(static_cast<int>(numbers[5]));
  context.batch.optimizer_numbers = static_cast<std::uint64_t>(numbers[6]);
  context.precedents = {at<Precedent>(precedents), precedent_count};
  context.measured = {at<MeasuredLoss>(measured), measured_count};
  return context;
}

// Numbers: [tie (0, 1, or 2 for neither), decidedBy, votes for tied, for untied, moreLayers, width, how many of the
// nearest tie, how far they are, place of the nearest measurement, how far it is, how many reasons], then [kind,
// favours, decisive, votes] of each reason, then places of the nearest models. Counts: tied, untied, saved in the
// decoder, one layer, deeper, wider, bytes of weights, gradients and optimizer.
bool advise(Address architecture, Address context, Address precedents, Address precedent_count, Address measured,
            Address measured_count) {
  auto advised = advise_tying(architecture_at(architecture),
                              context_at(context, precedents, precedent_count, measured, measured_count));
  if (!advised) return failed(advised.error());
  const Advice& advice = advised.value();
  const Verdict& verdict = advice.verdict;
  std::vector<double> numbers;
  const auto add = [&](auto value) { numbers.push_back(static_cast<double>(value)); };
  add(verdict.tie ? (*verdict.tie ? 1 : 0) : 2);
  add(verdict.decided_by);
  add(verdict.votes_tied);
  add(verdict.votes_untied);
  add(advice.more_layers);
  add(advice.wider_d_model);
  add(advice.nearest_that_tie);
  add(advice.nearest_within);
  add(advice.measurement);
  add(advice.measurement_within);
  add(advice.reasons.size());
  for (const Reason& reason : advice.reasons) {
    add(reason.kind);
    add(reason.favours);
    add(reason.decisive);
    add(reason.votes);
  }
  for (const std::size_t model : advice.nearest) add(model);
  answer.numbers(std::move(numbers));
  answer_counts(std::array<Whole, 9>{advice.tied, advice.untied, advice.saved_in_decoder, advice.one_layer,
                                     advice.deeper, advice.wider, advice.weight_bytes, advice.gradient_bytes,
                                     advice.optimizer_bytes});
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_advice) { emscripten::function("adviseTying", &advise); }

}  // namespace tied::bindings
