#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "direct_path/bigram_bounds.h"
#include "support.h"

using namespace tied;

namespace {

Matrix<float> random_counts(std::size_t n, std::uint64_t seed, std::uint32_t below) {
  Matrix<float> counts = test::zeros(n, n);
  Random random(seed, stream_of("counts"));
  for (std::size_t i = 0; i < n * n; ++i) counts.data()[i] = static_cast<float>(random.below(below));
  counts(0, 1) += 1;
  return counts;
}

// A plain twin of the symmetric floor: gradient descent on symmetric logits S, preconditioned with J_ij + J_ji. The
// step size is halved if the loss does not fall.
double fitted_symmetric_loss(const Matrix<float>& counts) {
  const std::size_t n = counts.rows();
  double total = 0;
  for (std::size_t i = 0; i < n * n; ++i) total += static_cast<double>(counts.data()[i]);
  std::vector<double> s(n * n, 0);
  const auto joint = [&](std::size_t i, std::size_t j) { return static_cast<double>(counts(i, j)) / total; };
  const auto loss_and_gradient = [&](const std::vector<double>& logits, std::vector<double>* gradient) {
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double maximum = logits[i * n];
      for (std::size_t j = 1; j < n; ++j) maximum = std::fmax(maximum, logits[i * n + j]);
      double sum = 0;
      double row = 0;
      for (std::size_t j = 0; j < n; ++j) {
        sum += std::exp(logits[i * n + j] - maximum);
        row += joint(i, j);
      }
      for (std::size_t j = 0; j < n; ++j) {
        const double log_p = logits[i * n + j] - maximum - std::log(sum);
        loss -= joint(i, j) * log_p;
        if (gradient != nullptr) (*gradient)[i * n + j] = row * std::exp(log_p) - joint(i, j);
      }
    }
    return loss;
  };
  std::vector<double> gradient(n * n);
  double rate = 1;
  double loss = loss_and_gradient(s, &gradient);
  for (int step = 0; step < 20000; ++step) {
    std::vector<double> next = s;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double weight = joint(i, j) + joint(j, i) + 1e-3;
        next[i * n + j] -= rate * (gradient[i * n + j] + gradient[j * n + i]) / weight;
      }
    }
    const double next_loss = loss_and_gradient(next, nullptr);
    if (next_loss > loss) {
      rate /= 2;
      if (rate < 1e-12) break;
      continue;
    }
    s = next;
    loss = loss_and_gradient(s, &gradient);
    rate *= 1.05;
  }
  return loss;
}

}  // namespace

TEST_CASE("the toy chain has the golden entropies and floor") {
  const Matrix<float> chain = test::toy_chain();
  const auto result = markov_bounds(chain.view());
  REQUIRE(result.ok());
  // The probabilities are floats, off by up to 3e-8; their rows are rescaled to sum to 1.
  constexpr double kTolerance = 1e-7;
  const BigramBounds& bounds = result.value().bounds;
  CHECK(std::fabs(bounds.bigram - 0.7772217390) < kTolerance);
  CHECK(std::fabs(bounds.unigram - 1.0627815576) < kTolerance);
  CHECK(std::fabs(bounds.jensen_shannon - 0.1760869471) < kTolerance);
  CHECK(std::fabs(bounds.symmetric_logits - 0.9533086861) < kTolerance);
  REQUIRE(result.value().stationary.size() == 3);
  CHECK(std::fabs(result.value().stationary[0] - 0.2166667) < kTolerance);
  CHECK(std::fabs(result.value().stationary[1] - 0.3583333) < kTolerance);
  CHECK(std::fabs(result.value().stationary[2] - 0.425) < kTolerance);
}

TEST_CASE("every chain of two tokens is reversible") {
  Random random(1, stream_of("two tokens"));
  for (int trial = 0; trial < 50; ++trial) {
    const double a = 0.01 + 0.98 * random.uniform_double();
    const double b = 0.01 + 0.98 * random.uniform_double();
    const Matrix<float> chain = test::matrix_of(2, 2, {1 - a, a, b, 1 - b});
    const auto result = markov_bounds(chain.view());
    REQUIRE(result.ok());
    CHECK(std::fabs(result.value().bounds.symmetric_logits - result.value().bounds.bigram) < 1e-14);
  }
}

TEST_CASE("symmetric counts cost a symmetric model exactly nothing") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Matrix<float> counts = random_counts(2 + seed % 9, seed, 50);
    for (std::size_t i = 0; i < counts.rows(); ++i) {
      for (std::size_t j = 0; j < i; ++j) counts(i, j) = counts(j, i);
    }
    const auto result = bigram_bounds(counts.view());
    REQUIRE(result.ok());
    CHECK(result.value().jensen_shannon == 0);
    CHECK(result.value().symmetric_logits == result.value().bigram);
  }
}

TEST_CASE("a cycle in one direction costs ln 2, the maximum") {
  const Matrix<float> cycle = test::matrix_of(3, 3, {0, 7, 0, 0, 0, 7, 7, 0, 0});
  const auto result = bigram_bounds(cycle.view());
  REQUIRE(result.ok());
  CHECK(result.value().bigram == 0);
  CHECK(result.value().jensen_shannon == doctest::Approx(kLn2).epsilon(1e-14));
  CHECK(result.value().symmetric_logits == doctest::Approx(kLn2).epsilon(1e-14));
  CHECK(result.value().unigram == doctest::Approx(std::log(3.0)).epsilon(1e-14));
}

TEST_CASE("floors of random tables are ordered, and the symmetric gap lies in [0, ln 2]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Matrix<float> counts = random_counts(2 + seed % 12, seed, seed % 3 == 0 ? 2 : 100);
    const auto result = bigram_bounds(counts.view());
    REQUIRE(result.ok());
    const BigramBounds& bounds = result.value();
    CHECK(bounds.bigram >= 0);
    CHECK(bounds.bigram <= bounds.unigram + 1e-14);
    CHECK(bounds.jensen_shannon >= 0);
    CHECK(bounds.jensen_shannon <= kLn2);
    CHECK(bounds.symmetric_logits >= bounds.bigram);
    CHECK(bounds.symmetric_logits <= bounds.bigram + bounds.jensen_shannon + 1e-14);
  }
}

TEST_CASE("floors found a few rows at a time are those found at once, to the last bit") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix<float> counts = random_counts(2 + seed % 12, seed, 100);
    const BigramBounds whole = bigram_bounds(counts.view()).value();
    for (const std::size_t rows : {1, 3, 100}) {
      BoundsSearch search(Joint(counts.view()), BoundsSearch::Entries::kCounts, BoundsSearch::Floor::kFound);
      std::size_t parts = 0;
      for (; !search.finished(); ++parts) REQUIRE(search.advance(rows).ok());
      CHECK(parts >= 2 * counts.rows() / rows);
      CHECK(search.bounds().unigram == whole.unigram);
      CHECK(search.bounds().bigram == whole.bigram);
      CHECK(search.bounds().jensen_shannon == whole.jensen_shannon);
      CHECK(search.bounds().symmetric_logits == whole.symmetric_logits);
      CHECK(search.bounds().symmetric_logits_gap == whole.symmetric_logits_gap);
    }
  }
}

TEST_CASE("the symmetric floor is that of a fitted symmetric matrix, with equal and with different margins") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Matrix<float> counts = random_counts(3 + seed % 3, seed, 20);
    for (std::size_t i = 0; i < counts.rows() * counts.rows(); ++i) counts.data()[i] += 1;
    const auto result = bigram_bounds(counts.view());
    REQUIRE(result.ok());
    const double fitted = fitted_symmetric_loss(counts);
    // A fit approaches the floor from above; 20,000 steps come this close.
    CHECK(fitted >= result.value().symmetric_logits - 1e-12);
    CHECK(fitted <= result.value().symmetric_logits + 1e-7);
  }
  const Matrix<float> circulant = test::matrix_of(3, 3, {2, 9, 1, 1, 2, 9, 9, 1, 2});
  const auto result = bigram_bounds(circulant.view());
  REQUIRE(result.ok());
  CHECK(result.value().symmetric_logits == result.value().bigram + result.value().jensen_shannon);
  CHECK(std::fabs(fitted_symmetric_loss(circulant) - result.value().symmetric_logits) < 1e-7);
}

TEST_CASE("with different margins the floor is below the divergence of J and its transpose") {
  // A single pair that occurs once: a symmetric model has only one row to satisfy.
  const Matrix<float> once = test::matrix_of(2, 2, {0, 1, 0, 0});
  const auto result = bigram_bounds(once.view());
  REQUIRE(result.ok());
  CHECK(result.value().bigram == 0);
  CHECK(result.value().jensen_shannon == doctest::Approx(kLn2));
  CHECK(result.value().symmetric_logits == doctest::Approx(0));
}

TEST_CASE("counts and the joint distribution made from them have the same floors") {
  const Matrix<float> counts = random_counts(7, 3, 50);
  Matrix<double> joint = Matrix<double>::create(7, 7).value();
  for (std::size_t i = 0; i < 49; ++i) joint.data()[i] = static_cast<double>(counts.data()[i]) / 1024;
  const auto of_counts = bigram_bounds(counts.view());
  const auto of_joint = joint_bounds(joint.view());
  REQUIRE(of_counts.ok());
  REQUIRE(of_joint.ok());
  CHECK(of_counts.value().unigram == doctest::Approx(of_joint.value().unigram).epsilon(1e-14));
  CHECK(of_counts.value().bigram == doctest::Approx(of_joint.value().bigram).epsilon(1e-14));
  CHECK(of_counts.value().symmetric_logits == doctest::Approx(of_joint.value().symmetric_logits).epsilon(1e-12));
}

TEST_CASE("tables that are not counts are refused, naming the entry") {
  Matrix<float> counts = random_counts(3, 1, 9);
  const auto code_with = [&](float value) {
    const float before = counts(1, 2);
    counts(1, 2) = value;
    const auto result = bigram_bounds(counts.view());
    counts(1, 2) = before;
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().argument == "counts[1, 2]");
    return result.error().code;
  };
  CHECK(code_with(-1) == ErrorCode::kInvalidArgument);
  CHECK(code_with(0.5F) == ErrorCode::kInvalidArgument);
  CHECK(code_with(std::nanf("")) == ErrorCode::kNotFinite);
  CHECK(code_with(std::numeric_limits<float>::infinity()) == ErrorCode::kNotFinite);
  CHECK(bigram_bounds(counts.view()).ok());

  const Matrix<float> nothing = test::zeros(3, 3);
  const auto zeros = bigram_bounds(nothing.view());
  REQUIRE_FALSE(zeros.ok());
  CHECK(zeros.error().message() == "counts is all zero; expected at least one entry above 0");
  const Matrix<float> one = test::matrix_of(1, 1, {4});
  CHECK(bigram_bounds(one.view()).error().code == ErrorCode::kShapeMismatch);
  const Matrix<float> wide = test::random_matrix(2, 3, 1);
  CHECK(bigram_bounds(wide.view()).error().code == ErrorCode::kShapeMismatch);
}

TEST_CASE("tables that are not transition matrices are refused") {
  const Matrix<float> wrong = test::matrix_of(2, 2, {.5, .6, .5, .5});
  CHECK(markov_bounds(wrong.view()).error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("tiny-shakespeare by characters: unigram 3.3128, bigram 2.4526, symmetric gap 0.2905") {
  const std::string path = std::string(TIED_SOURCE_DIR) + "/../shared/data/corpora/tiny-shakespeare.txt";
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    std::puts("not run: this test reads ../shared/data/corpora/tiny-shakespeare.txt, which does not exist");
    return;
  }
  std::string text;
  char block[4096];
  for (std::size_t count = 0; (count = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, count);
  std::fclose(file);
  REQUIRE(text.size() == 1115394);

  // All characters are ASCII: a token is the rank of its byte among those that occur.
  std::vector<int> id(256, -1);
  for (const char character : text) id[static_cast<unsigned char>(character)] = 0;
  std::size_t vocab_size = 0;
  for (int& entry : id) entry = entry < 0 ? -1 : static_cast<int>(vocab_size++);
  REQUIRE(vocab_size == 65);
  Matrix<float> counts = test::zeros(vocab_size, vocab_size);
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    counts(static_cast<std::size_t>(id[static_cast<unsigned char>(text[i])]),
           static_cast<std::size_t>(id[static_cast<unsigned char>(text[i + 1])])) += 1;
  }
  const auto result = bigram_bounds(counts.view());
  REQUIRE(result.ok());
  const BigramBounds& bounds = result.value();
  CHECK(std::fabs(bounds.unigram - 3.3128) < 5e-5);
  CHECK(std::fabs(bounds.bigram - 2.4526) < 5e-5);
  CHECK(std::fabs(bounds.jensen_shannon - 0.2905) < 5e-5);
  CHECK(std::fabs(bounds.symmetric_logits - 2.7431) < 5e-5);
  // First and last character differ, so the margins differ by one count in a million.
  CHECK(std::fabs(bounds.symmetric_logits - bounds.bigram - bounds.jensen_shannon) < 1e-5);
}
