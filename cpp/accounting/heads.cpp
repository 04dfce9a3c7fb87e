#include "accounting/heads.h"

#include <algorithm>
#include <span>

#include "base/elementary.h"

namespace tied {
namespace {

// The same in every head of an architecture.
struct Common {
  Whole tokens;
  std::uint64_t vocab_size = 0;
  std::uint64_t products_per_logit = 0;  // multiply-accumulates of one logit, after what comes before the table
  std::uint64_t numbers_per_row = 0;     // parameters of one row of the table
  Whole products_before;                 // of what stands before the table, a token
  Whole numbers_before;
  std::uint64_t logit_bytes = 0;
};

Common common_of(const Architecture& architecture, const Batch& batch, const std::vector<CountedTensor>& tensors) {
  Common common;
  common.tokens = Whole(batch.sequences) * batch.tokens;
  common.vocab_size = architecture.output_vocab_size;
  const std::uint64_t low_rank = batch.tying == TableTying::kTiedLowRank ? architecture.low_rank : 0;
  common.products_per_logit = architecture.d_model + low_rank;
  common.numbers_per_row = common.products_per_logit + (architecture.output_bias ? 1 : 0);
  for (const CountedTensor& tensor : tensors) {
    const bool writes = tensor.group == TensorGroup::kTables && multiplies(tensor);
    if (!writes && tensor.group != TensorGroup::kHead) continue;
    common.numbers_before += tensor.count();
    if (multiplies(tensor)) common.products_before += tensor.count();
  }
  common.products_before -= Whole(common.vocab_size) * common.products_per_logit;
  common.numbers_before -= Whole(common.vocab_size) * common.numbers_per_row;
  common.logit_bytes = logit_bytes(batch.precision);
  return common;
}

// A head that multiplies each token with `per_token` rows of a table of `rows`.
HeadCost head_of(HeadKind kind, const Common& common, Whole per_token, Whole rows) {
  HeadCost head;
  head.kind = kind;
  head.macs = macs_of(common.tokens * (common.products_before + per_token * common.products_per_logit));
  head.at_most = head.macs;
  head.parameters = common.numbers_before + rows * common.numbers_per_row;
  head.logits = common.tokens * per_token;
  head.logits_bytes = head.logits * common.logit_bytes;
  return head;
}

// 1 + 1/2 + ... + 1/n, by Euler and Maclaurin where there are many; within 4e-12.
double harmonic(std::uint64_t n) {
  double sum = 0;
  if (n < 32) {
    for (std::uint64_t i = n; i > 0; --i) sum += 1 / static_cast<double>(i);
    return sum;
  }
  constexpr double kEuler = 0.57721566490153286;
  const double x = static_cast<double>(n);
  const double square = x * x;
  return natural_log(x) + kEuler + 1 / (2 * x) - (1 - 1 / (10 * square)) / (12 * square);
}

HeadCost adaptive_head(const Common& common, std::uint64_t d_model, const HeadOptions& options) {
  const std::span<const std::uint64_t> cutoffs = options.cutoffs;
  const Whole rows = Whole(cutoffs.front()) + cutoffs.size();
  HeadCost head = head_of(HeadKind::kAdaptive, common, rows, rows);
  Whole forward = head.macs.forward;
  Whole most = forward;
  const double all = harmonic(common.vocab_size);
  std::uint64_t width = d_model;
  for (std::size_t i = 0; i < cutoffs.size(); ++i) {
    const std::uint64_t end = i + 1 < cutoffs.size() ? cutoffs[i + 1] : common.vocab_size;
    const Whole size = end - cutoffs[i];
    width /= options.divisor;  // floors of floors are the floor of the whole quotient
    const Whole numbers = (Whole(d_model) + size) * width;
    const double share = (harmonic(end) - harmonic(cutoffs[i])) / all;
    const Whole expected = static_cast<std::uint64_t>(common.tokens.as_double() * share + 0.5);
    head.parameters += numbers;
    head.logits += expected * size;
    forward += expected * numbers;
    most += common.tokens * numbers;
  }
  head.macs = macs_of(forward);
  head.at_most = macs_of(most);
  head.logits_bytes = head.logits * common.logit_bytes;
  return head;
}

}  // namespace

Macs macs_of(Whole forward) { return {forward, forward * 2, forward * 3}; }

bool multiplies(const CountedTensor& tensor) {
  if (tensor.is_vector || tensor.group == TensorGroup::kPositions) return false;
  return tensor.group != TensorGroup::kTables || tensor.name == "unembedding";
}

std::uint64_t logit_bytes(Precision precision) { return precision == Precision::kBFloat16 ? 2 : 4; }

std::vector<HeadCost> count_heads(const Architecture& architecture, const Batch& batch,
                                  const std::vector<CountedTensor>& tensors) {
  const Common common = common_of(architecture, batch, tensors);
  const HeadOptions& asked = batch.heads;
  const std::uint64_t all = common.vocab_size;
  std::vector<HeadCost> heads;
  heads.push_back(head_of(HeadKind::kFull, common, all, all));
  if (asked.samples != 0) heads.push_back(head_of(HeadKind::kSampled, common, Whole(asked.samples) + 1, all));
  if (!asked.cutoffs.empty()) heads.push_back(adaptive_head(common, architecture.d_model, asked));
  if (const std::uint64_t kept = asked.culled_vocab_size)
    heads.push_back(head_of(HeadKind::kCulled, common, kept, kept));
  if (const std::uint64_t clusters = asked.clusters) {
    const std::uint64_t largest = (all - 1) / clusters + 1;
    heads.push_back(head_of(HeadKind::kClustered, common, Whole(clusters) + largest, Whole(clusters) + all));
  }
  return heads;
}

}  // namespace tied
