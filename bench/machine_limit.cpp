#include "machine_limit.h"

#include <iterator>

#include "linalg/simd.h"

namespace tied::bench {
namespace {

constexpr int kLengthOfChain = 16384;

// Operands that the compiler knows can stay in memory, which leaves registers to the chains; unknown ones are
// recomputed in every step, which has a cost. Engines and their releases differ, so both variants are tried.
enum class Operands { kKnown, kUnknown };

template <int kChains, Operands kOperands>
float multiply_adds_of() {
  using Batch = simd::Batch<float>;
  constexpr float kFactor = 0.999F;
  constexpr float kTerm = 0.001F;
  static volatile float unknown[2] = {kFactor, kTerm};
  const Batch factor(kOperands == Operands::kKnown ? kFactor : unknown[0]);
  const Batch term(kOperands == Operands::kKnown ? kTerm : unknown[1]);
  Batch chains[kChains];
  for (int i = 0; i < kChains; ++i) chains[i] = Batch(static_cast<float>(i));
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

template <int kChains, Operands kOperands>
constexpr Choice kChoice{kChains, multiply_adds_of<kChains, kOperands>};

constexpr Choice kChoices[] = {kChoice<8, Operands::kUnknown>,  kChoice<10, Operands::kUnknown>,
                               kChoice<12, Operands::kUnknown>, kChoice<13, Operands::kUnknown>,
                               kChoice<12, Operands::kKnown>,   kChoice<13, Operands::kKnown>,
                               kChoice<14, Operands::kKnown>};

}  // namespace

int number_of_chain_counts() { return static_cast<int>(std::size(kChoices)); }

float multiply_adds(int choice) { return kChoices[choice].run(); }

double operations_of_multiply_adds(int choice) {
  return 2.0 * simd::kLanes<float> * kChoices[choice].chains * kLengthOfChain;
}

}  // namespace tied::bench
