#include "training/pair_evaluation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/elementary.h"
#include "model/translation.h"

namespace tied {
namespace {

constexpr std::size_t kPairsAtOnce = 64;

}  // namespace

std::uint64_t edit_distance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  // row[j]: the distance of the tokens of a so far from the first j of b.
  std::vector<std::uint64_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::uint64_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

Evaluation evaluation_of(const PairEvaluation& pairs) {
  const double loss = pairs.loss / static_cast<double>(pairs.tokens);
  return {loss, exponential(loss), pairs.tokens};
}

template <class T>
Result<PairEvaluation> evaluate_pairs(Model<T>& model, const Pairs& pairs, std::size_t first, std::size_t count,
                                      bool translates) {
  PairEvaluation made;
  made.pairs = count;
  PairBatcher batcher;
  if (Status status = batcher.allocate(std::min(kPairsAtOnce, count), model.config()); !status) return status;
  for (std::size_t i = first; i < first + count;) {
    batcher.clear();
    for (const std::size_t end = std::min(i + kPairsAtOnce, first + count); i < end; ++i) batcher.add(pairs, i);
    PairBatch batch = batcher.batch();
    const std::uint32_t tokens = batch.target_starts[batch.size];
    batch.weight = tokens;
    made.loss += model.pairs()->loss(batch, Pass::kForward);
    made.tokens += tokens;
  }
  if (!translates) return made;
  auto translation = Translation<T>::create(model, {});
  if (!translation) return translation.failure();
  for (std::size_t i = first; i < first + count; ++i) {
    auto found = translation.value()->translate(pairs.sources[i]);
    if (!found) return found.failure();
    const std::uint64_t edits = edit_distance(found.value().front().tokens, pairs.targets[i]);
    made.exact += edits == 0 ? 1 : 0;
    made.edits += edits;
    made.target_tokens += pairs.targets[i].size();
  }
  return made;
}

template Result<PairEvaluation> evaluate_pairs(Model<float>&, const Pairs&, std::size_t, std::size_t, bool);
template Result<PairEvaluation> evaluate_pairs(Model<double>&, const Pairs&, std::size_t, std::size_t, bool);

}  // namespace tied
