#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "diagnostics/feed_forward_map.h"
#include "diagnostics/path_reading.h"
#include "support.h"

using namespace tied;

namespace {

constexpr std::size_t kPathVocab = 11;
constexpr std::size_t kPathWidth = 4;

std::vector<std::uint32_t> some_text(std::size_t length, std::uint32_t step) {
  std::vector<std::uint32_t> ids(length);
  for (std::uint32_t i = 0; i < length; ++i) ids[i] = (i * i + step * (i % 3)) % kPathVocab;
  return ids;
}

std::vector<double> plain_path(const Matrix<float>& e, const Matrix<float>& u) {
  std::vector<double> s(kPathVocab * kPathVocab, 0);
  for (std::size_t i = 0; i < kPathVocab; ++i) {
    for (std::size_t j = 0; j < kPathVocab; ++j) {
      for (std::size_t k = 0; k < kPathWidth; ++k) {
        s[i * kPathVocab + j] += static_cast<double>(e(i, k)) * static_cast<double>(u(j, k));
      }
    }
  }
  return s;
}

double plain_log_probability(const std::vector<double>& s, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < kPathVocab; ++k) sum += std::exp(s[i * kPathVocab + k]);
  return s[i * kPathVocab + j] - std::log(sum);
}

// ln P of the bigrams of a text, with 1/2 added to every count.
std::vector<double> plain_bigrams(const std::vector<std::uint32_t>& ids) {
  std::vector<double> p(kPathVocab * kPathVocab, 0.5);
  for (std::size_t t = 0; t + 1 < ids.size(); ++t) p[ids[t] * kPathVocab + ids[t + 1]] += 1;
  for (std::size_t i = 0; i < kPathVocab; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < kPathVocab; ++j) sum += p[i * kPathVocab + j];
    for (std::size_t j = 0; j < kPathVocab; ++j) p[i * kPathVocab + j] = std::log(p[i * kPathVocab + j] / sum);
  }
  return p;
}

double plain_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double size = static_cast<double>(x.size());
  double mx = 0;
  double my = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += x[i] / size;
    my += y[i] / size;
  }
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

Result<PathSummary> summary_of(const Matrix<float>& e, const Matrix<float>& u, const BigramText& text,
                               std::size_t tile) {
  ReadoutWeights weights;
  weights.unembedding = u.view();
  auto readout = Readout::create(weights, tile);
  REQUIRE(readout.ok());
  auto reading = PathReading::create(readout.value(), text);
  if (!reading) return reading.failure();
  for (std::size_t first = 0; first < kPathVocab; first += tile) {
    const std::size_t count = std::min(tile, kPathVocab - first);
    Status status = reading.value().add(readout.value(), text, e.view().row_block(first, count), first);
    if (!status) return status;
  }
  return reading.value().summarize(text);
}

}  // namespace

TEST_CASE("a path reading agrees with its formula, in tiles of any size") {
  const Matrix<float> e = test::normal_matrix(kPathVocab, kPathWidth, 1);
  const Matrix<float> u = test::normal_matrix(kPathVocab, kPathWidth, 2);
  const std::vector<std::uint32_t> ids = some_text(60, 2);
  const std::vector<std::uint32_t> other = some_text(90, 5);
  for (const bool same : {true, false}) {
    auto text = BigramText::create(ids, same ? ids : other, kPathVocab);
    REQUIRE(text.ok());
    const std::vector<double> s = plain_path(e, u);
    const std::vector<double> bigrams = plain_bigrams(same ? ids : other);
    std::vector<double> path_terms;
    std::vector<double> bigram_terms;
    double breaking = 0;
    double different = 0;
    for (std::size_t t = 0; t + 1 < ids.size(); ++t) {
      const std::size_t i = ids[t];
      const std::size_t j = ids[t + 1];
      path_terms.push_back(plain_log_probability(s, i, j));
      bigram_terms.push_back(bigrams[i * kPathVocab + j]);
      if (i == j) continue;
      ++different;
      const auto at = [&](std::size_t from, std::size_t to) { return plain_log_probability(s, from, to); };
      if (at(i, j) + at(j, i) > at(i, i) + at(j, j)) ++breaking;
    }
    double loss = 0;
    for (const double term : path_terms) loss -= term / static_cast<double>(path_terms.size());
    double selves = 0;
    for (std::size_t i = 0; i < kPathVocab; ++i) {
      bool own = true;
      for (std::size_t j = 0; j < kPathVocab; ++j) own = own && s[i * kPathVocab + j] <= s[i * kPathVocab + i];
      if (own) selves += 1.0 / kPathVocab;
    }
    for (const std::size_t tile : {std::size_t{1}, std::size_t{4}, std::size_t{64}}) {
      CAPTURE(tile);
      const auto found = summary_of(e, u, text.value(), tile);
      REQUIRE(found.ok());
      CHECK(found.value().loss == doctest::Approx(loss).epsilon(1e-5));
      CHECK(found.value().correlation == doctest::Approx(plain_correlation(path_terms, bigram_terms)).epsilon(1e-4));
      CHECK(found.value().breaking == doctest::Approx(breaking / different));
      CHECK(found.value().self_prediction == doctest::Approx(selves));
    }
  }
}

TEST_CASE("no pair breaks the law of a tied path, whatever the table and the text") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Matrix<float> e = test::normal_matrix(kPathVocab, kPathWidth, seed);
    for (std::size_t j = 0; j < kPathWidth; ++j) e(3, j) = e(5, j);  // two tokens that cannot be told apart
    auto text = BigramText::create(some_text(100, 1), some_text(100, 1), kPathVocab);
    REQUIRE(text.ok());
    const auto found = summary_of(e, e, text.value(), 4);
    REQUIRE(found.ok());
    CHECK(found.value().breaking == 0);
    // The longest row predicts itself.
    CHECK(found.value().self_prediction > 0);
  }
}

TEST_CASE("facts about a text that need no model") {
  // a b a b a b a a: b is followed by a only, a mostly by b.
  const std::vector<std::uint32_t> ids = {0, 1, 0, 1, 0, 1, 0, 0};
  auto text = BigramText::create(ids, ids, 2);
  REQUIRE(text.ok());
  const BigramFacts facts = text.value().facts();
  // P(b|a) = 3.5/5, P(a|a) = 1.5/5, P(a|b) = 3.5/4
  CHECK(facts.loss == doctest::Approx(-(3 * std::log(0.7) + std::log(0.3) + 3 * std::log(0.875)) / 7));
  // After the first token: a four times, b three times.
  CHECK(facts.unigram_loss == doctest::Approx(-(4 * std::log(4.5 / 8) + 3 * std::log(3.5 / 8)) / 7));
  CHECK(facts.self_prediction == 0);
  CHECK(facts.breaking == 1);
  CHECK(text.value().log_probability(1, 1) == doctest::Approx(std::log(0.125)));
  const std::vector<std::uint32_t> repeated = {1, 1, 1};
  auto alone = BigramText::create(repeated, repeated, 2);
  REQUIRE(alone.ok());
  CHECK(alone.value().facts().self_prediction == 1);
  CHECK(std::isnan(alone.value().facts().breaking));
}

TEST_CASE("paths refuse texts that are too short, ids and vocabularies that do not fit, and infinite logits") {
  const std::vector<std::uint32_t> ids = some_text(20, 2);
  const std::vector<std::uint32_t> one = {3};
  CHECK(BigramText::create(one, ids, kPathVocab).error().argument == "tokenIds.length");
  CHECK(BigramText::create(ids, one, kPathVocab).error().argument == "options.bigramsOf.length");
  CHECK(BigramText::create(ids, ids, 5).error().code == ErrorCode::kInvalidArgument);
  auto text = BigramText::create(ids, ids, kPathVocab);
  REQUIRE(text.ok());
  const Matrix<float> small = test::normal_matrix(3, kPathWidth, 1);
  CHECK(summary_of(small, small, text.value(), 3).error().code == ErrorCode::kShapeMismatch);
  Matrix<float> huge = test::normal_matrix(kPathVocab, kPathWidth, 1);
  for (std::size_t j = 0; j < kPathWidth; ++j) huge(2, j) = 3e38F;
  CHECK(summary_of(huge, huge, text.value(), 4).error().code == ErrorCode::kNotFinite);
  // One logit of one token is infinity - infinity: neither its largest nor its own.
  Matrix<float> e = test::normal_matrix(kPathVocab, kPathWidth, 1);
  Matrix<float> u = test::normal_matrix(kPathVocab, kPathWidth, 2);
  for (std::size_t j = 0; j < kPathWidth; ++j) {
    e(2, j) = 1e30F;
    u(7, j) = j % 2 == 0 ? 1e30F : -1e30F;
  }
  const auto wrong = summary_of(e, u, text.value(), 4);
  CHECK(wrong.error().code == ErrorCode::kNotFinite);
  CHECK(wrong.error().argument == "logits");
}

TEST_CASE("a feed-forward map agrees with its formula, with and without gate, norms and biases") {
  constexpr std::size_t kHidden = 6;
  constexpr std::size_t kRows = 3;
  const Matrix<float> x = test::normal_matrix(kRows, kPathWidth, 1);
  const Matrix<float> up = test::normal_matrix(kHidden, kPathWidth, 2);
  const Matrix<float> gate = test::normal_matrix(kHidden, kPathWidth, 3);
  const Matrix<float> down = test::normal_matrix(kPathWidth, kHidden, 4);
  const Matrix<float> biases = test::normal_matrix(3, kHidden, 5);
  const Matrix<float> norms = test::normal_matrix(2, kPathWidth, 6);
  for (const ReadoutNorm norm : {ReadoutNorm::kNone, ReadoutNorm::kRms, ReadoutNorm::kLayer}) {
    for (const bool gated : {false, true}) {
      for (const bool biased : {false, true}) {
        CAPTURE(static_cast<int>(norm));
        CAPTURE(gated);
        FeedForwardWeights weights;
        weights.norm.norm = norm;
        if (norm != ReadoutNorm::kNone) weights.norm.weight = norms.view().row(0);
        if (norm == ReadoutNorm::kLayer) weights.norm.bias = norms.view().row(1);
        weights.up = up.view();
        weights.down = down.view();
        if (gated) weights.gate = gate.view();
        if (biased) {
          weights.up_bias = biases.view().row(0);
          weights.gate_bias = biases.view().row(1);
          weights.down_bias = biases.view().row(2);
        }
        auto map = FeedForwardMap::create(weights, kPathWidth, kRows);
        REQUIRE(map.ok());
        auto out = Matrix<float>::create(kRows, kPathWidth);
        REQUIRE(out.ok());
        map.value().apply(out.value().view(), x.view());
        for (std::size_t r = 0; r < kRows; ++r) {
          double mean = 0;
          double square = 0;
          for (std::size_t k = 0; k < kPathWidth; ++k) mean += static_cast<double>(x(r, k)) / kPathWidth;
          if (norm != ReadoutNorm::kLayer) mean = 0;
          for (std::size_t k = 0; k < kPathWidth; ++k) {
            square += std::pow(static_cast<double>(x(r, k)) - mean, 2) / kPathWidth;
          }
          std::vector<double> y(kPathWidth);
          for (std::size_t k = 0; k < kPathWidth; ++k) {
            y[k] = static_cast<double>(x(r, k));
            if (norm == ReadoutNorm::kNone) continue;
            y[k] = (y[k] - mean) / std::sqrt(square + 1e-5) * static_cast<double>(norms(0, k));
            if (norm == ReadoutNorm::kLayer) y[k] += static_cast<double>(norms(1, k));
          }
          std::vector<double> expected(kPathWidth);
          for (std::size_t k = 0; k < kPathWidth; ++k) {
            expected[k] = static_cast<double>(x(r, k)) + (biased ? static_cast<double>(biases(2, k)) : 0);
          }
          for (std::size_t f = 0; f < kHidden; ++f) {
            double raised = biased ? static_cast<double>(biases(0, f)) : 0;
            double opened = biased ? static_cast<double>(biases(1, f)) : 0;
            for (std::size_t k = 0; k < kPathWidth; ++k) {
              raised += y[k] * static_cast<double>(up(f, k));
              opened += y[k] * static_cast<double>(gate(f, k));
            }
            const double u = std::sqrt(2 / 3.14159265358979323846) * (raised + 0.044715 * std::pow(raised, 3));
            const double active = gated ? opened / (1 + std::exp(-opened)) * raised : raised / 2 * (1 + std::tanh(u));
            for (std::size_t k = 0; k < kPathWidth; ++k) expected[k] += active * static_cast<double>(down(k, f));
          }
          for (std::size_t k = 0; k < kPathWidth; ++k) {
            CHECK(static_cast<double>(out.value()(r, k)) == doctest::Approx(expected[k]).epsilon(1e-4));
          }
        }
      }
    }
  }
  FeedForwardWeights wrong;
  wrong.up = up.view();
  wrong.down = up.view();
  CHECK(FeedForwardMap::create(wrong, kPathWidth, 1).error().code == ErrorCode::kShapeMismatch);
}
