#include "accounting/heads.h"

#include <cmath>

#include "base/elementary.h"

namespace tied {
namespace {

// Shared by all heads of an architecture.
struct Common {
  Whole tokens;  // of the batch
  std::uint64_t vocab_size = 0;
  std::uint64_t products_per_logit = 0;  // multiply-accumulates per logit, after the maps before the table
  std::uint64_t parameters_per_row = 0;  // parameters per row of the table
  Whole products_before;                 // per token, of the maps before the table
  Whole parameters_before;
  std::uint64_t logit_bytes = 0;
};

Common common_of(const Architecture& architecture, const Batch& batch, const std::vector<CountedTensor>& tensors) {
  Common common;
  common.tokens = Whole(batch.sequences) * batch.tokens;
  common.vocab_size = architecture.output_vocab_size;
  const std::uint64_t width = architecture.table_rank == 0 ? architecture.d_model : architecture.table_rank;
  common.products_per_logit = width + (batch.tying == TableTying::kTiedLowRank ? architecture.low_rank : 0);
  common.parameters_per_row = common.products_per_logit + (architecture.output_bias ? 1 : 0);
  common.logit_bytes = logit_bytes(batch.precision);
  for (const CountedTensor& tensor : tensors) {
    const bool works = multiplies(tensor);
    if (tensor.group != TensorGroup::kHead && !tensor.writes) continue;
    common.parameters_before += tensor.size();
    if (works) common.products_before += tensor.size();
  }
  common.products_before -= Whole(common.vocab_size) * common.products_per_logit;
  common.parameters_before -= Whole(common.vocab_size) * common.parameters_per_row;
  return common;
}

// A head that multiplies each token with `per_token` rows of a table of `rows` rows, and has biases for `biases` tokens
// if the model has them. Clusters have none.
HeadCost head_of(const Common& common, std::uint64_t per_token, std::uint64_t rows, std::uint64_t biases) {
  HeadCost head;
  head.macs.forward = common.tokens * (common.products_before + Whole(per_token) * common.products_per_logit);
  head.at_most = head.macs;
  head.parameters = common.parameters_before + Whole(rows) * common.products_per_logit +
                    Whole(biases) * (common.parameters_per_row - common.products_per_logit);
  head.logits = common.tokens * per_token;
  head.logits_bytes = head.logits * common.logit_bytes;
  return head;
}

// 1 + 1/2 + ... + 1/n, by the Euler-Maclaurin formula for large n; within 4e-12.
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
  const std::uint64_t rows = cutoffs.front() + cutoffs.size();
  HeadCost head = head_of(common, rows, rows, common.vocab_size);
  const double all = harmonic(common.vocab_size);
  std::uint64_t width = d_model;
  for (std::size_t i = 0; i < cutoffs.size(); ++i) {
    const std::uint64_t end = i + 1 < cutoffs.size() ? cutoffs[i + 1] : common.vocab_size;
    const std::uint64_t size = end - cutoffs[i];
    width /= options.divisor;  // repeated floor division equals one floor division by the product
    const double share = (harmonic(end) - harmonic(cutoffs[i])) / all;
    const Whole expected = static_cast<std::uint64_t>(std::nearbyint(common.tokens.as_double() * share));
    const Whole numbers = Whole(d_model + size) * width;
    head.parameters += numbers;
    head.logits += expected * size;
    head.macs.forward += expected * numbers;
    head.at_most.forward += common.tokens * numbers;
  }
  head.logits_bytes = head.logits * common.logit_bytes;
  return head;
}

}  // namespace

bool multiplies(const CountedTensor& tensor) {
  if (tensor.is_vector || tensor.group == TensorGroup::kPositions) return false;
  return tensor.group != TensorGroup::kTables || tensor.writes || tensor.is_factor;
}

std::uint64_t logit_bytes(Precision precision) { return precision == Precision::kBfloat16 ? 2 : 4; }

HeadCosts count_heads(const Architecture& architecture, const Batch& batch, const std::vector<CountedTensor>& tensors) {
  const Common common = common_of(architecture, batch, tensors);
  const HeadOptions& asked = batch.heads;
  const std::uint64_t all = common.vocab_size;
  HeadCosts heads;
  heads.full = head_of(common, all, all, all);
  if (asked.samples != 0) heads.sampled = head_of(common, asked.samples + 1, all, all);
  if (!asked.cutoffs.empty()) heads.adaptive = adaptive_head(common, architecture.d_model, asked);
  if (const std::uint64_t kept = asked.culled_vocab_size) heads.culled = head_of(common, kept, kept, kept);
  if (const std::uint64_t clusters = asked.clusters) {
    heads.clustered = head_of(common, clusters + (all - 1) / clusters + 1, clusters + all, all);
  }
  return heads;
}

}  // namespace tied
