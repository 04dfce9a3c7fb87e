// A map from pairs of token ids to numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tied {

struct TokenPair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;

  friend bool operator==(const TokenPair&, const TokenPair&) = default;
};

// Open addressing with linear probing in one block: BPE looks up every neighboring pair of a text.
class PairIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  std::size_t size() const { return size_; }
  // The number of `pair`, or kNone.
  std::uint32_t find(TokenPair pair) const;
  // Whether an insertion failed for lack of memory. All later ones fail too.
  bool out_of_memory() const { return out_of_memory_; }
  // The number of `pair`; a new pair gets `number`, which must be below kNone. kNone if memory runs out.
  std::uint32_t find_or_insert(TokenPair pair, std::uint32_t number);

 private:
  struct Slot {
    TokenPair pair;
    std::uint32_t number = kNone;  // kNone = free
  };
  std::size_t slot_of(TokenPair pair) const;
  bool grow();

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::size_t size_ = 0;
  bool out_of_memory_ = false;
};

}  // namespace tied
