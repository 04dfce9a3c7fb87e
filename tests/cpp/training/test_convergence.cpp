// Where training ends, compared with floors known in closed form.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "support.h"

using namespace tied;

namespace {

struct Floors {
  double unigram = 0;
  double bigram = 0;
  double symmetric = 0;
};

// Entropies of the table, in double; symmetric = bigram + Jensen-Shannon divergence of J and its transpose.
Floors floors_of(const Matrix<float>& counts) {
  const std::size_t vocab_size = counts.rows();
  std::vector<double> rows(vocab_size, 0);
  std::vector<double> cols(vocab_size, 0);
  double total = 0;
  for (std::size_t i = 0; i < vocab_size; ++i) {
    for (std::size_t j = 0; j < vocab_size; ++j) {
      const double count = static_cast<double>(counts(i, j));
      rows[i] += count;
      cols[j] += count;
      total += count;
    }
  }
  Floors floors;
  double divergence = 0;
  for (std::size_t i = 0; i < vocab_size; ++i) {
    if (cols[i] > 0) floors.unigram -= cols[i] / total * std::log(cols[i] / total);
    for (std::size_t j = 0; j < vocab_size; ++j) {
      const double count = static_cast<double>(counts(i, j));
      if (count == 0) continue;
      floors.bigram -= count / total * std::log(count / rows[i]);
      divergence += count / total * std::log(2 * count / (count + static_cast<double>(counts(j, i))));
    }
  }
  floors.symmetric = floors.bigram + divergence;
  return floors;
}

struct Trained {
  std::unique_ptr<Trainer<float>> trainer;
  double loss = 0;
};

Trained trained(const Matrix<float>& counts, Tying tying, std::uint64_t d_model, std::uint64_t steps, double rate,
                bool output_bias = false, std::uint64_t init_seed = 1) {
  const ModelConfig model{
      .vocab_size = counts.rows(), .d_model = d_model, .tying = tying, .output_bias = output_bias, .init_std = 0.1};
  const TrainingConfig training{
      .learning_rate = rate, .decay = Decay::kCosine, .total_steps = steps, .init_seed = init_seed};
  Trained result{test::trainer_on(model, training, counts)};
  test::run(*result.trainer, steps);
  result.loss = result.trainer->evaluate().value().loss;
  return result;
}

// P(j|i) P(i|j) <= P(i|i) P(j|j), which follows from 2 e_i e_j <= |e_i|^2 + |e_j|^2: the normalizers cancel. Returns
// the largest excess of the logarithm of the left side.
double worst_repeat_excess(Trainer<float>& trainer) {
  const std::size_t vocab_size = static_cast<std::size_t>(trainer.model_config().vocab_size);
  std::vector<std::uint32_t> all(vocab_size);
  for (std::size_t i = 0; i < vocab_size; ++i) all[i] = static_cast<std::uint32_t>(i);
  const auto logits = trainer.next_token(all, {}, NextToken::kLogits);
  REQUIRE(logits.ok());
  double worst = -1e300;
  for (std::size_t i = 0; i < vocab_size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto at = [&](std::size_t row, std::size_t col) { return static_cast<double>(logits.value()(row, col)); };
      worst = std::fmax(worst, at(i, j) + at(j, i) - at(i, i) - at(j, j));
    }
  }
  return worst;
}

// The error bound of each of the four log-probabilities: (d + 2) 2^-24 times the largest |e_i|^2, which bounds every
// logit, and its last rounding.
double repeat_tolerance(Trainer<float>& trainer) {
  const auto embedding = trainer.matrix("embedding");
  REQUIRE(embedding.ok());
  double largest = 0;
  for (std::size_t i = 0; i < embedding.value().rows; ++i) {
    double norm = 0;
    for (std::size_t k = 0; k < embedding.value().cols; ++k) {
      norm += static_cast<double>(embedding.value()(i, k)) * static_cast<double>(embedding.value()(i, k));
    }
    largest = std::fmax(largest, norm);
  }
  return 4 * (static_cast<double>(embedding.value().cols) + 4) * std::ldexp(largest, -24);
}

// New, York, City: pi P with pi = (26, 43, 51) / 120, times 2,400 to give integers.
Matrix<float> toy_counts() {
  constexpr float kTransition[3][3] = {{1, 18, 1}, {2, 2, 16}, {8, 6, 6}};  // in twentieths
  constexpr float kStationary[3] = {26, 43, 51};
  auto counts = Matrix<float>::create(3, 3);
  REQUIRE(counts.ok());
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) counts.value()(i, j) = kStationary[i] * kTransition[i][j];
  }
  return std::move(counts).value();
}

// Loss of the tied model of width 1 without a bias after 2,000 steps, if every row starts at `common`. In double:
// logits of common^2 leave single precision few digits.
double loss_with_common_part(const Matrix<float>& counts, double common) {
  const ModelConfig model{.vocab_size = counts.rows(), .d_model = 1};
  const TrainingConfig training{.learning_rate = 0.1 / common, .decay = Decay::kCosine, .total_steps = 2'000};
  const auto trainer = test::trainer_on<double>(model, training, counts);
  auto start = Matrix<double>::create(counts.rows(), 1);
  REQUIRE(start.ok());
  for (std::size_t i = 0; i < counts.rows(); ++i) start.value()(i, 0) = common;
  REQUIRE(trainer->set_matrix("embedding", std::as_const(start.value()).view()).ok());
  test::run(*trainer, 2'000);
  return trainer->evaluate().value().loss;
}

// A chain whose tokens have a few followers each: few repetitions, nothing reversible.
Matrix<float> synthetic_counts(std::size_t vocab_size, std::uint64_t seed) {
  Random random(seed, stream_of("chain"));
  std::vector<std::uint32_t> ids(1, 0);
  std::vector<std::uint32_t> followers(4 * vocab_size);
  for (std::uint32_t& follower : followers) follower = random.below(static_cast<std::uint32_t>(vocab_size));
  for (int i = 0; i < 200'000; ++i) {
    // The k-th follower with probability 8, 4, 2 or 2 sixteenths.
    const std::uint32_t draw = random.below(16);
    const std::size_t k = draw < 8 ? 0 : draw < 12 ? 1 : draw < 14 ? 2 : 3;
    ids.push_back(followers[4 * ids.back() + k]);
  }
  return test::counts_of(ids, vocab_size);
}

// Empty if there is no such file.
std::vector<std::uint32_t> characters_of(const char* path, std::size_t& vocab_size) {
  std::vector<std::uint32_t> bytes;
  if (std::FILE* file = std::fopen(path, "rb"); file != nullptr) {
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) bytes.push_back(static_cast<std::uint32_t>(c));
    std::fclose(file);
  }
  std::vector<std::uint32_t> id(256, 0);
  for (const std::uint32_t byte : bytes) id[byte] = 1;
  vocab_size = 0;
  for (std::uint32_t& each : id) {
    if (each != 0) each = static_cast<std::uint32_t>(vocab_size++);
  }
  for (std::uint32_t& byte : bytes) byte = id[byte];
  return bytes;
}

}  // namespace

TEST_CASE(
    "the toy chain: tied ends at the unigram entropy whatever the width, untied and tied-linear at the bigram "
    "entropy") {
  const Matrix<float> counts = toy_counts();
  const Floors floors = floors_of(counts);
  CHECK(floors.bigram == doctest::Approx(0.7772217390).epsilon(1e-9));
  CHECK(floors.unigram == doctest::Approx(1.0627815576).epsilon(1e-9));
  CHECK(floors.symmetric == doctest::Approx(0.9533086861).epsilon(1e-9));

  // Values to their six printed places; training ends within a few 1e-6 of the optimum.
  constexpr double kTolerance = 5e-6;
  for (const std::uint64_t d_model : {1, 2, 3}) {
    CHECK(std::fabs(trained(counts, Tying::kTied, d_model, 6'000, 0.05, true).loss - 1.062782) < kTolerance);
    // Without a bias, the unigram logits b_j arise from rows K + b_j / K, exactly only for infinite K, and training
    // from small rows approaches that slowly.
    const double from_small_rows = trained(counts, Tying::kTied, d_model, 6'000, 0.05).loss - floors.unigram;
    CHECK(from_small_rows > 0);
    CHECK(from_small_rows < 5e-4);
  }
  double previous = 5e-4;
  for (const double common : {15, 50, 150}) {
    const double above = loss_with_common_part(counts, common) - floors.unigram;
    CHECK(above > 0);
    CHECK(above < previous / 5);
    previous = above;
  }
  CHECK(previous < 1e-6);
  CHECK(std::fabs(trained(counts, Tying::kUntied, 1, 6'000, 0.05).loss - 0.808287) < kTolerance);
  CHECK(std::fabs(trained(counts, Tying::kUntied, 2, 6'000, 0.05).loss - 0.777222) < kTolerance);
  CHECK(std::fabs(trained(counts, Tying::kTiedLinear, 2, 6'000, 0.05).loss - 0.777222) < kTolerance);
}

TEST_CASE("a synthetic chain: untied reaches the bigram entropy, tied stays above the symmetric floor and repeats") {
  const Matrix<float> counts = synthetic_counts(20, 3);
  const Floors floors = floors_of(counts);
  const Trained tied_run = trained(counts, Tying::kTied, 12, 2'000, 0.05);
  CHECK(tied_run.loss > floors.symmetric);
  CHECK(tied_run.loss < floors.unigram + 1e-3);
  CHECK(worst_repeat_excess(*tied_run.trainer) <= repeat_tolerance(*tied_run.trainer));

  const Trained untied = trained(counts, Tying::kUntied, 12, 2'000, 0.05);
  CHECK(untied.loss > floors.bigram - 1e-6);
  CHECK(untied.loss < floors.bigram + 0.02);
  CHECK(worst_repeat_excess(*untied.trainer) > 1);
  for (const Tying tying : {Tying::kTiedLinear, Tying::kTiedMlp}) {
    const double loss = trained(counts, tying, 12, 2'000, 0.05).loss;
    CHECK(loss > floors.bigram - 1e-6);
    CHECK(loss < floors.symmetric);
  }
}

TEST_CASE("the table and the pairs of the same text reach the same loss") {
  const auto ids = test::stream(20'000, 13, 5);
  const Matrix<float> counts = test::counts_of(ids, 13);
  const ModelConfig model{.vocab_size = 13, .d_model = 12, .tying = Tying::kUntied, .init_std = 0.1};
  TrainingConfig training{.learning_rate = 0.03, .decay = Decay::kCosine, .total_steps = 2'000, .batch_size = 256};
  const auto of_table = test::trainer_on(model, training, counts);
  const auto of_pairs = test::trainer_on(model, training, ids);
  test::run(*of_table, 2'000);
  test::run(*of_pairs, 2'000);
  const Floors floors = floors_of(counts);
  CHECK(of_table->evaluate().value().loss < floors.bigram + 0.005);
  // Noise of batches of 256 pairs at a rate that falls to zero.
  CHECK(of_pairs->evaluate().value().loss < floors.bigram + 0.02);
}

TEST_CASE("tiny-shakespeare by characters: the gaps of tied, untied and tied-linear at width 16") {
  constexpr char kPath[] = "../shared/data/corpora/tiny-shakespeare.txt";
  std::size_t vocab_size = 0;
  const auto ids = characters_of(kPath, vocab_size);
  if (ids.empty()) {
    MESSAGE("skipped: there is no ", std::string(kPath));
    return;
  }
  REQUIRE(vocab_size == 65);
  const Matrix<float> counts = test::counts_of(ids, vocab_size);
  const Floors floors = floors_of(counts);
  // To four places.
  CHECK(std::fabs(floors.unigram - 3.3128) < 5e-5);
  CHECK(std::fabs(floors.bigram - 2.4526) < 5e-5);
  CHECK(std::fabs(floors.symmetric - floors.bigram - 0.2905) < 5e-5);

  const Trained tied_run = trained(counts, Tying::kTied, 16, 3'000, 0.05);
  const double untied = trained(counts, Tying::kUntied, 16, 3'000, 0.05).loss;
  const double linear = trained(counts, Tying::kTiedLinear, 16, 3'000, 0.05).loss;
  const double mlp = trained(counts, Tying::kTiedMlp, 16, 3'000, 0.05).loss;
  MESSAGE("above the bigram entropy: tied ", tied_run.loss - floors.bigram, ", untied ", untied - floors.bigram,
          ", tied-linear ", linear - floors.bigram, ", tied-mlp ", mlp - floors.bigram);
  CHECK(std::fabs(tied_run.loss - floors.bigram - 0.588) < 0.005);
  CHECK(untied - floors.bigram < 0.01);
  CHECK(linear - floors.bigram < 0.03);
  CHECK(mlp - floors.bigram < 0.03);
  CHECK(worst_repeat_excess(*tied_run.trainer) <= repeat_tolerance(*tied_run.trainer));
}
