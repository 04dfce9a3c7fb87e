#include "machine_limit.h"

#include "linalg/simd.h"

namespace tied::bench {

namespace {
// Chains that do not wait for each other: enough to hide the latency of a product and a sum, few enough for 16
// registers.
constexpr int kChains = 12;
constexpr int kLengthOfChain = 1024;
}  // namespace

float multiply_adds(int repetitions) {
  using Batch = simd::Batch<float>;
  Batch chains[kChains];
  for (int i = 0; i < kChains; ++i) chains[i] = Batch(static_cast<float>(i));
  const Batch factor(0.999F);
  const Batch term(0.001F);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (int step = 0; step < kLengthOfChain; ++step) {
      for (int i = 0; i < kChains; ++i) chains[i] = simd::multiply_add(chains[i], factor, term);
    }
  }
  double sum = 0;
  for (int i = 0; i < kChains; ++i) sum += simd::sum_of_lanes(chains[i]);
  return static_cast<float>(sum);
}

double operations_of_repetition() { return 2.0 * simd::kLanes<float> * kChains * kLengthOfChain; }

}  // namespace tied::bench
