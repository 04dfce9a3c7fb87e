#include "machine_limit.h"

#include <iterator>

#include "linalg/simd.h"

namespace tied::bench {
namespace {

constexpr int kLengthOfChain = 16384;

// Numbers that the compiler knows can be operands in memory, which leaves registers to the chains; or they are made
// anew in every step, which costs some. Engines and their releases differ, so both ways are tried.
enum class Numbers { kKnown, kUnknown };

template <int kChains, Numbers kNumbers>
float multiply_adds_of() {
  using Batch = simd::Batch<float>;
  constexpr float kFactor = 0.999F;
  constexpr float kTerm = 0.001F;
  static volatile float unknown[2] = {kFactor, kTerm};
  const Batch factor(kNumbers == Numbers::kKnown ? kFactor : unknown[0]);
  const Batch term(kNumbers == Numbers::kKnown ? kTerm : unknown[1]);
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

template <int kChains, Numbers kNumbers>
constexpr Choice kChoice{kChains, multiply_adds_of<kChains, kNumbers>};

constexpr Choice kChoices[] = {kChoice<8, Numbers::kUnknown>,  kChoice<10, Numbers::kUnknown>,
                               kChoice<12, Numbers::kUnknown>, kChoice<13, Numbers::kUnknown>,
                               kChoice<12, Numbers::kKnown>,   kChoice<13, Numbers::kKnown>,
                               kChoice<14, Numbers::kKnown>};

}  // namespace

int number_of_chain_counts() { return static_cast<int>(std::size(kChoices)); }

float multiply_adds(int choice) { return kChoices[choice].run(); }

double operations_of_multiply_adds(int choice) {
  return 2.0 * simd::kLanes<float> * kChoices[choice].chains * kLengthOfChain;
}

}  // namespace tied::bench
