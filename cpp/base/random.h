// Seeded, counter-based random numbers: the same bits for the same (seed, stream, position) on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tied {

// Philox4x32-10: a keyed bijection of 128-bit counters (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011). The counter is the only state, so any draw can be computed without those before it.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// The same for any kind of word, such as batches of parallel counters. multiply(a, which) returns the `low` and `high`
// halves of the products a * kPhiloxMultipliers[which].
inline constexpr std::uint32_t kPhiloxMultipliers[2] = {0xD2511F53, 0xCD9E8D57};
template <class Word, class Multiply>
inline void philox_rounds(Word (&words)[4], std::uint32_t key0, std::uint32_t key1, Multiply multiply) {
  constexpr int kRounds = 10;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;  // golden ratio
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;  // square root of three
  for (int round = 0; round < kRounds; ++round) {
    const auto product0 = multiply(words[0], 0);
    const auto product1 = multiply(words[2], 1);
    words[0] = product1.high ^ words[1] ^ Word(key0);
    words[1] = product1.low;
    words[2] = product0.high ^ words[3] ^ Word(key1);
    words[3] = product0.low;
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
}

// A sequence of draws. Each (seed, stream) pair is a sequence of its own, and the streams of a seed are independent.
// The position is the whole state: `position()` and `seek()` resume a sequence exactly.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  std::uint64_t position() const { return position_; }
  void seek(std::uint64_t position) { position_ = position; }

  // 32 uniform bits. Advances one position.
  std::uint32_t bits();
  // Uniform in [0, 1), 24 bits, exact in float. Advances one position.
  float uniform();
  // Uniform in [0, 1), 53 bits. Advances two positions.
  double uniform_double();
  // Uniform in [0, bound), unbiased; bound > 0. Advances one position, or more if a draw is rejected.
  std::uint32_t below(std::uint32_t bound);
  // Standard normal by the inverse distribution function (Wichura, algorithm AS 241), with our own logarithm, so no
  // math library matters. Advances two positions.
  double normal();

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
  std::uint64_t block_ = ~std::uint64_t{0};  // counter of the cached block below
  std::array<std::uint32_t, 4> words_{};
};

// Stream number of a name such as "parameter:embedding", by FNV-1a: adding a stream does not shift the others.
std::uint64_t stream_of(std::string_view name);

}  // namespace tied
