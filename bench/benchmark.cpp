#include "benchmark.h"

#include <algorithm>
#include <cstdio>

#include "machine_limit.h"
#include "processor_time.h"

namespace tied::bench {
namespace {

constexpr int kRounds = 9;
constexpr double kSecondsPerMeasurement = 0.03;
constexpr double kSecondsPerLimit = 0.01;
constexpr int kRepetitionsOfLimit = 16;

// Seconds of one call, from as many calls as fill the time of a measurement.
double measure(const std::function<void()>& run, double at_least) {
  const double start = processor_seconds();
  for (int calls = 1;; ++calls) {
    run();
    const double seconds = processor_seconds() - start;
    if (seconds >= at_least) return seconds / calls;
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Operations a second in registers.
double measured_limit() {
  static volatile float used = 0;  // so that the work cannot be left out
  const double seconds = measure([] { used = used + multiply_adds(kRepetitionsOfLimit); }, kSecondsPerLimit);
  return operations_of_repetition() * kRepetitionsOfLimit / seconds;
}

template <class Value>
double median_of(const Benchmark& benchmark, Value value) {
  std::vector<double> values;
  for (std::size_t round = 0; round < benchmark.rounds.size(); ++round) values.push_back(value(round));
  return median(std::move(values));
}

}  // namespace

void measure_and_report(std::vector<Benchmark>& benchmarks) {
  for (const Benchmark& benchmark : benchmarks) benchmark.run();  // caches, and the second compiler of wasm engines
  std::vector<double> limits;
  for (int round = 0; round < kRounds; ++round) {
    for (Benchmark& benchmark : benchmarks) {
      const double limit = measured_limit();
      benchmark.rounds.push_back({measure(benchmark.run, kSecondsPerMeasurement), limit});
      limits.push_back(limit);
    }
  }

  std::printf(
      "limit in registers (multiply and add, 4 lanes): %.1f GFLOP/s; medians of %d rounds, seconds of the processor\n",
      median(limits) * 1e-9, kRounds);
  std::printf("%-64s %8s %6s %9s %12s\n", "", "GFLOP/s", "share", "items/s", "of products");
  for (const Benchmark& benchmark : benchmarks) {
    const std::vector<Benchmark::Round>& rounds = benchmark.rounds;
    const double seconds = median_of(benchmark, [&](std::size_t i) { return rounds[i].seconds; });
    const double share =
        median_of(benchmark, [&](std::size_t i) { return benchmark.operations / rounds[i].seconds / rounds[i].limit; });
    std::printf("%-64s %8.1f %5.0f%%", benchmark.name.c_str(), benchmark.operations / seconds * 1e-9, 100 * share);
    if (benchmark.items > 0) std::printf(" %9.0f", benchmark.items / seconds);
    if (benchmark.products > 0) {
      const std::vector<Benchmark::Round>& products = benchmarks[benchmark.products - 1].rounds;
      const double ratio = median_of(benchmark, [&](std::size_t i) { return products[i].seconds / rounds[i].seconds; });
      std::printf(" %11.0f%%", 100 * ratio);
    }
    std::printf("\n");
  }
}

}  // namespace tied::bench
