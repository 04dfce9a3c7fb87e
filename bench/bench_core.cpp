// Seeded benchmarks of the core, each as a share of what this machine reaches in registers in the same run: shares can
// be compared between machines, seconds cannot. Medians over rounds that visit every benchmark in turn, so that a slow
// moment of the machine hits all of them alike.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "linalg/matmul.h"
#include "linalg/matrix_view.h"
#include "machine_limit.h"
#include "training/trainer.h"

namespace {

using namespace tied;

constexpr int kRounds = 9;
constexpr double kSecondsPerMeasurement = 0.05;

struct Benchmark {
  std::string name;
  // Floating-point operations of one call of `run`: the products and sums of its matrix products.
  double operations;
  // Items a second are shown where a call does more than one matrix product: 0 = none.
  double items;
  std::function<void()> run;
  std::vector<double> seconds;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Seconds of one call, from as many calls as fill the time of a measurement.
double measure(const std::function<void()>& run) {
  const double start = now();
  int calls = 0;
  double end = start;
  do {
    run();
    ++calls;
    end = now();
  } while (end - start < kSecondsPerMeasurement);
  return (end - start) / calls;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::shared_ptr<Matrix<float>> random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  auto matrix = std::make_shared<Matrix<float>>(Matrix<float>::create(rows, cols).value());
  Random random(seed, stream_of("bench"));
  for (std::size_t i = 0; i < rows * cols; ++i) matrix->data()[i] = random.uniform() - 0.5F;
  return matrix;
}

enum class Form { kNn, kNt, kTn };

Benchmark matmul_benchmark(const char* note, Form form, std::size_t m, std::size_t k, std::size_t n) {
  const bool a_is_transposed = form == Form::kTn;
  const bool b_is_transposed = form == Form::kNt;
  auto a = random_matrix(a_is_transposed ? k : m, a_is_transposed ? m : k, 1);
  auto b = random_matrix(b_is_transposed ? n : k, b_is_transposed ? k : n, 2);
  auto out = random_matrix(m, n, 3);
  const char* const forms[] = {"a b", "a b^T", "a^T b"};
  std::string name = "matmul " + std::to_string(m) + " x " + std::to_string(k) + " x " + std::to_string(n) + ", " +
                     forms[static_cast<int>(form)];
  if (*note != '\0') name += std::string(" (") + note + ")";
  return {std::move(name),
          2.0 * static_cast<double>(m * k * n),
          0,
          [a, b, out, form] {
            const Matrix<float>& left = *a;
            const Matrix<float>& right = *b;
            if (form == Form::kNn) matmul_nn(out->view(), left.view(), right.view());
            if (form == Form::kNt) matmul_nt(out->view(), left.view(), right.view());
            if (form == Form::kTn) matmul_tn(out->view(), left.view(), right.view());
          },
          {}};
}

// One step of a direct-path model on a batch of pairs. Its three products (logits, and the two halves of the gradient)
// are what is counted; softmax, gathering and the optimizer are what keeps it below the limit.
Benchmark training_benchmark(const char* name, Tying tying, std::uint64_t vocab_size, std::uint64_t d_model,
                             std::uint64_t pairs) {
  std::vector<std::uint32_t> token_ids(50000);
  Random random(7, stream_of("tokens"));
  for (std::uint32_t& id : token_ids) id = random.below(static_cast<std::uint32_t>(vocab_size));
  ModelConfig model;
  model.vocab_size = vocab_size;
  model.d_model = d_model;
  model.tying = tying;
  TrainingConfig training;
  training.learning_rate = 0.01;
  training.batch_size = pairs;
  training.seed = 1;
  training.init_seed = 1;
  auto data = training_data_from_tokens<float>(token_ids.data(), token_ids.size(), nullptr, 0, vocab_size);
  auto made = Trainer<float>::create(model, training, std::move(data).value());
  if (!made) {
    std::printf("%s\n", made.error().message().c_str());
    return {name, 0, 0, [] {}, {}};
  }
  auto trainer = std::shared_ptr<Trainer<float>>(std::move(made).value());
  return {name,
          6.0 * static_cast<double>(pairs * vocab_size * d_model),
          static_cast<double>(pairs),
          [trainer] {
            if (const Status status = trainer->step(); !status) std::printf("%s\n", status.error().message().c_str());
          },
          {}};
}

}  // namespace

int main() {
  float unused = 0;
  Benchmark limit{
      "limit", bench::operations_of_repetition() * 16, 0, [&unused] { unused += bench::multiply_adds(16); }, {}};

  std::vector<Benchmark> benchmarks;
  benchmarks.push_back(matmul_benchmark("", Form::kNn, 64, 64, 64));
  benchmarks.push_back(matmul_benchmark("", Form::kNn, 256, 256, 256));
  benchmarks.push_back(matmul_benchmark("", Form::kNt, 256, 256, 256));
  benchmarks.push_back(matmul_benchmark("", Form::kTn, 256, 256, 256));
  benchmarks.push_back(matmul_benchmark("logits", Form::kNt, 512, 128, 8192));
  benchmarks.push_back(matmul_benchmark("into hidden", Form::kNn, 512, 8192, 128));
  benchmarks.push_back(matmul_benchmark("into embedding", Form::kTn, 8192, 512, 128));
  benchmarks.push_back(training_benchmark("direct path, tied, V 65, d 16, 1024 pairs", Tying::kTied, 65, 16, 1024));
  benchmarks.push_back(training_benchmark("direct path, tied, V 2000, d 64, 1024 pairs", Tying::kTied, 2000, 64, 1024));
  benchmarks.push_back(
      training_benchmark("direct path, untied, V 2000, d 64, 1024 pairs", Tying::kUntied, 2000, 64, 1024));

  limit.run();
  for (Benchmark& benchmark : benchmarks) benchmark.run();  // warm-up: caches, and the second compiler of wasm engines
  for (int round = 0; round < kRounds; ++round) {
    limit.seconds.push_back(measure(limit.run));
    for (Benchmark& benchmark : benchmarks) benchmark.seconds.push_back(measure(benchmark.run));
  }

  const double at_most = limit.operations / median(limit.seconds) * 1e-9;
  std::printf("limit in registers (multiply and add, 4 lanes): %.1f GFLOP/s; medians of %d rounds\n", at_most, kRounds);
  std::printf("%-52s %9s %7s %12s\n", "", "GFLOP/s", "share", "pairs/s");
  for (const Benchmark& benchmark : benchmarks) {
    const double seconds = median(benchmark.seconds);
    const double reached = benchmark.operations / seconds * 1e-9;
    std::printf("%-52s %9.1f %6.0f%%", benchmark.name.c_str(), reached, 100 * reached / at_most);
    if (benchmark.items > 0) std::printf(" %12.0f", benchmark.items / seconds);
    std::printf("\n");
  }
  // Used, so that the limit's work cannot be left out.
  return unused == 0 ? 1 : 0;
}
