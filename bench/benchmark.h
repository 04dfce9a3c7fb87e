// What a benchmark is, and how a list of them is measured and told.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tied::bench {

struct Benchmark {
  std::string name;
  // Floating-point operations of one call of `run`: the products and sums of its matrix products.
  double operations = 0;
  // Tokens (or pairs) of one call; 0 where it is a single product.
  double items = 0;
  std::function<void()> run;
  // Index + 1 of the benchmark that does this one's matrix products and nothing else; 0 = none.
  std::size_t products = 0;

  // Of each round; `limit` is what the machine reached in registers just before.
  struct Round {
    double seconds = 0;
    double limit = 0;
  };
  std::vector<Round> rounds;
};

// Visits all benchmarks in turn, round after round, so that a slow moment of the machine hits all of them alike, and
// prints medians: of rates, and of shares of the machine's limit at the same moment. Seconds are those of the
// processor, not of the clock.
void measure_and_report(std::vector<Benchmark>& benchmarks);

}  // namespace tied::bench
