// Seeded, counter-based random numbers: the same bits for the same (seed, stream, position) on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tied {

// Philox4x32-10: a keyed bijection of 128-bit counters (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011). No state but the counter, so any draw can be had without those before it.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// The same of words of any kind, such as batches of them that count side by side. multiply(a, which) gives the `low`
// and the `high` halves of the products of words and kPhiloxMultipliers[which].
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

// A sequence of draws: one (seed, stream) pair gives one sequence, and streams of one seed are independent.
// `position()` and `seek()` make it exactly resumable: the position is the whole state.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  std::uint64_t position() const { return position_; }
  void seek(std::uint64_t position) { position_ = position; }

  // 32 uniform bits; takes one position.
  std::uint32_t bits();
  // Uniform in [0, 1), 24 bits, exact in float; takes one position.
  float uniform();
  // Uniform in [0, 1), 53 bits; takes two positions.
  double uniform_double();
  // Uniform in [0, bound), without bias; bound > 0. Takes one position nearly always, more where a draw is rejected.
  std::uint32_t below(std::uint32_t bound);
  // Standard normal by the inverse distribution function (Wichura, algorithm AS 241), computed with our own
  // logarithm so that no two math libraries can disagree; takes two positions.
  double normal();

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
  std::uint64_t block_ = ~std::uint64_t{0};  // counter of the cached block below
  std::array<std::uint32_t, 4> words_{};
};

// A stream number from a name ("parameter:embedding"), so that adding a stream never shifts the others: its 64-bit
// FNV-1a hash.
std::uint64_t stream_of(std::string_view name);

}  // namespace tied
