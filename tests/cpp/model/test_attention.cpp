// Blocked attention compared with its formula, and its dropout.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/attention.h"
#include "support.h"

using namespace tied;

namespace {

// 130 tokens: two whole blocks of rows and part of a third. Four heads of two columns, two key heads.
constexpr std::size_t kTokens = 130;
constexpr std::size_t kHeads = 4;
constexpr std::size_t kKeyHeads = 2;
constexpr std::size_t kWidth = 2;

template <class T>
Matrix<T> normal_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  auto created = Matrix<T>::create(rows, cols);
  REQUIRE(created.ok());
  Random random(seed, stream_of("test"));
  for (std::size_t i = 0; i < rows * cols; ++i) created.value().data()[i] = static_cast<T>(random.normal());
  return std::move(created).value();
}

struct Inputs {
  Matrix<double> queries = normal_matrix<double>(kTokens, kHeads* kWidth, 1);
  Matrix<double> keys = normal_matrix<double>(kTokens, kKeyHeads* kWidth, 2);
  Matrix<double> values = normal_matrix<double>(kTokens, kKeyHeads* kWidth, 3);
  std::vector<double> probabilities = std::vector<double>(kHeads * kTokens * kTokens);
  std::vector<double> dropped = std::vector<double>(kKeyHeads * kAttentionBlockRows * kTokens);

  AttentionSequence<double> sequence(bool stored) {
    AttentionSequence<double> made;
    made.queries = queries.view();
    made.keys = keys.view();
    made.values = values.view();
    made.n_heads = kHeads;
    made.n_kv_heads = kKeyHeads;
    made.probabilities = probabilities.data();
    made.stored = stored;
    made.dropped = dropped.data();
    return made;
  }
};

// Gradients of queries, keys and values in adjacent columns.
AttentionGradients<double> gradients_in(const MatrixView<double>& all) {
  const auto columns = [&](std::size_t first, std::size_t heads) {
    return MatrixView<double>(all.data + first * kWidth, all.rows, heads * kWidth, all.stride);
  };
  return {columns(0, kHeads), columns(kHeads, kKeyHeads), columns(kHeads + kKeyHeads, kKeyHeads)};
}

}  // namespace

TEST_CASE("blocked attention equals the formula, whether probabilities are stored or not") {
  Inputs inputs;
  auto mixed = normal_matrix<double>(kTokens, kHeads * kWidth, 4);
  auto again = normal_matrix<double>(kTokens, kHeads * kWidth, 5);
  auto shares = normal_matrix<double>(kHeads * kTokens, kTokens, 6);
  attention_forward(mixed.view(), inputs.sequence(false));
  attention_forward(again.view(), inputs.sequence(true));
  CHECK(test::equal_elements(mixed.data(), again.data(), kTokens * kHeads * kWidth));
  attention_probabilities(shares.view(), inputs.sequence(false));

  for (std::size_t head = 0; head < kHeads; ++head) {
    const std::size_t kv = head / 2 * kWidth;
    for (std::size_t i = 0; i < kTokens; ++i) {
      std::vector<double> weights(i + 1);
      double total = 0;
      for (std::size_t j = 0; j <= i; ++j) {
        double score = 0;
        for (std::size_t c = 0; c < kWidth; ++c) score += inputs.queries(i, head * kWidth + c) * inputs.keys(j, kv + c);
        weights[j] = std::exp(score / std::sqrt(2.0));
        total += weights[j];
      }
      for (std::size_t c = 0; c < kWidth; ++c) {
        double expected = 0;
        for (std::size_t j = 0; j <= i; ++j) expected += weights[j] / total * inputs.values(j, kv + c);
        // Rounding of sums of at most 130 values of size one.
        CHECK(std::fabs(mixed(i, head * kWidth + c) - expected) < 1e-13);
      }
      for (std::size_t j = 0; j < kTokens; ++j) {
        CHECK(std::fabs(shares(head * kTokens + i, j) - (j <= i ? weights[j] / total : 0)) < 1e-13);
      }
    }
  }
}

TEST_CASE("the backward pass has the same bits with all heads together and head by head with nothing stored") {
  Inputs inputs;
  const auto dmixed = normal_matrix<double>(kTokens, kHeads * kWidth, 4);
  auto together = normal_matrix<double>(kTokens, (kHeads + 2 * kKeyHeads) * kWidth, 5);
  auto one_by_one = normal_matrix<double>(kTokens, (kHeads + 2 * kKeyHeads) * kWidth, 6);
  auto mixed = normal_matrix<double>(kTokens, kHeads * kWidth, 7);
  std::vector<double> room(kKeyHeads * kAttentionBlockRows * kTokens);
  for (const double share : {0.0, 0.25}) {
    for (const bool stored : {true, false}) {
      AttentionSequence<double> sequence = inputs.sequence(stored);
      sequence.dropout = {share, 7, 1'000};
      attention_forward(mixed.view(), sequence);
      attention_backward(gradients_in(stored ? together.view() : one_by_one.view()), dmixed.view(), sequence,
                         room.data());
    }
    CAPTURE(share);
    CHECK(test::equal_elements(together.data(), one_by_one.data(), kTokens * (kHeads + 2 * kKeyHeads) * kWidth));
  }
}

TEST_CASE("each probability of each head has its own dropout decision") {
  // With zero queries, row i gives 1 / (i + 1) to each token. Values are columns of the identity, one head width at a
  // time, so the outputs are the dropped probabilities themselves.
  Inputs inputs;
  std::fill_n(inputs.queries.data(), kTokens * kHeads * kWidth, 0.0);
  AttentionSequence<double> sequence = inputs.sequence(false);
  sequence.dropout = {0.5, 7, 1'000};
  auto mixed = normal_matrix<double>(kTokens, kHeads * kWidth, 4);
  std::vector<int> kept(kHeads * kTokens * kTokens);
  for (std::size_t column = 0; column < kTokens; ++column) {
    std::fill_n(inputs.values.data(), kTokens * kKeyHeads * kWidth, 0.0);
    for (std::size_t head = 0; head < kKeyHeads; ++head) inputs.values(column, head * kWidth) = 1;
    attention_forward(mixed.view(), sequence);
    for (std::size_t head = 0; head < kHeads; ++head) {
      for (std::size_t i = column; i < kTokens; ++i) {
        const double share = mixed(i, head * kWidth) * static_cast<double>(i + 1);
        CHECK((share == 0 || std::fabs(share - 2) < 1e-12));
        kept[(head * kTokens + i) * kTokens + column] = share == 0 ? 0 : 1;
      }
    }
  }
  // Any two rows agree only by chance, in about half of their common columns.
  double largest = 0;
  for (std::size_t row = 0; row < kHeads * kTokens; ++row) {
    for (std::size_t other = 0; other < row; ++other) {
      const std::size_t common = std::min(row % kTokens, other % kTokens) + 1;
      if (common < 50) continue;
      std::size_t same = 0;
      for (std::size_t j = 0; j < common; ++j) {
        if (kept[row * kTokens + j] == kept[other * kTokens + j]) ++same;
      }
      const double deviation = static_cast<double>(same) - static_cast<double>(common) / 2;
      largest = std::fmax(largest, std::fabs(deviation) / (std::sqrt(static_cast<double>(common)) / 2));
    }
  }
  // In standard deviations, over about 50,000 pairs; rows with the same decisions would be seven or more apart.
  CHECK(largest < 6);
}
