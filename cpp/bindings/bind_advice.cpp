// Advice about tying; web/core/accounting/advise-tying.ts is the JavaScript side.
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
              "lists of them are arrays of doubles in web/core/accounting/advise-tying.ts");

// `context`: [startsFrom (index into the list of web/core), budget, difference of a measured loss], NaN if absent.
// `precedents`: [tied, untied, ties] each; `measured`: [untied, vocabSize, low, high] each.
//
// Numbers: [tie (0, 1, or 2 for neither), decidedBy, votes for tied, for untied, moreLayers, width, how many of the
// nearest tie, their distance, index of the nearest measurement, its distance, number of reasons], then [kind, favors,
// decisive, votes] of each reason, then indices of the nearest models. Counts: tied, untied, saved in the decoder, one
// layer, deeper, wider.
constexpr std::size_t kFirstNumbers = 11;

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
  const Verdict& verdict = advice.verdict;
  std::vector<double> numbers(kFirstNumbers + 4 * advice.n_reasons + advice.n_nearest);
  double* to = numbers.data();
  *to++ = verdict.tie ? static_cast<double>(*verdict.tie) : 2.0;
  *to++ = static_cast<double>(verdict.decided_by);
  *to++ = static_cast<double>(verdict.votes_tied);
  *to++ = static_cast<double>(verdict.votes_untied);
  *to++ = static_cast<double>(advice.more_layers);
  *to++ = static_cast<double>(advice.wider_d_model);
  *to++ = static_cast<double>(advice.nearest_that_tie);
  *to++ = advice.nearest_within;
  *to++ = static_cast<double>(advice.measurement);
  *to++ = advice.measurement_within;
  *to++ = static_cast<double>(advice.n_reasons);
  for (std::size_t i = 0; i < advice.n_reasons; ++i) {
    const Reason& reason = advice.reasons[i];
    *to++ = static_cast<double>(reason.kind);
    *to++ = static_cast<double>(reason.favours);
    *to++ = reason.decisive ? 1.0 : 0.0;
    *to++ = reason.votes;
  }
  for (std::size_t i = 0; i < advice.n_nearest; ++i) *to++ = static_cast<double>(advice.nearest[i]);
  answer.numbers(std::move(numbers));
  answer_counts(std::array<Whole, 6>{advice.tied, advice.untied, advice.saved_in_decoder, advice.one_layer,
                                     advice.deeper, advice.wider});
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_advice) { emscripten::function("adviseTying", &advise); }

}  // namespace tied::bindings
