#include "machine_limit.h"

#include <iterator>

#include "linalg/simd.h"

namespace tied::bench {
namespace {

constexpr int kLengthOfChain = 16384;

template <int kChains>
float multiply_adds_of() {
  using Batch = simd::Batch<float>;
  Batch chains[kChains];
  for (int i = 0; i < kChains; ++i) chains[i] = Batch(static_cast<float>(i));
  const Batch factor(0.999F);
  const Batch term(0.001F);
  for (int step = 0; step < kLengthOfChain; ++step) {
    for (int i = 0; i < kChains; ++i) chains[i] = simd::multiply_add(chains[i], factor, term);
  }
  double sum = 0;
  for (int i = 0; i < kChains; ++i) sum += simd::sum_of_lanes(chains[i]);
  return static_cast<float>(sum);
}

struct Choice {
  int chains;
  float (*run)();
};

constexpr Choice kChoices[] = {
    {8, multiply_adds_of<8>}, {10, multiply_adds_of<10>}, {12, multiply_adds_of<12>}, {13, multiply_adds_of<13>}};

}  // namespace

int number_of_chain_counts() { return static_cast<int>(std::size(kChoices)); }

float multiply_adds(int choice) { return kChoices[choice].run(); }

double operations_of_multiply_adds(int choice) {
  return 2.0 * simd::kLanes<float> * kChoices[choice].chains * kLengthOfChain;
}

}  // namespace tied::bench
