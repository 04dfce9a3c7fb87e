// Byte pair encoding: learning merges from a text, and applying them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/pair_index.h"
#include "text/string_index.h"

namespace tied {

inline constexpr std::uint32_t kByteTokens = 256;
// Maximum length of a token, so that a vocabulary of n tokens never needs more than 256 n bytes.
inline constexpr std::size_t kLongestBpeToken = 256;

// Keeps ids within 16 bits.
inline constexpr std::size_t kMaxBpeMerges = 65536 - kByteTokens;

// Learns up to `max_merges` merges. Each merges the pair of neighbouring tokens that is most frequent within the pieces
// of the text (bpe_pieces.h) at that time; merge i creates token 256 + i. Ties go to the smaller left id, then to the
// smaller right id. Stops early if no pair occurs twice.
// Time: O(text) for splitting, then proportional to the merged positions of the distinct pieces. text has at most
// kLongestText bytes; max_merges is at most kMaxBpeMerges. Errors: kOutOfMemory.
Result<std::vector<TokenPair>> learn_merges(std::string_view text, std::size_t max_merges);

// Which pairs are merged, and in which order.
struct MergeRules {
  const PairIndex& merged;  // (left, right) -> number
  // Without scores (BPE), a text starts as its bytes, `merged` holds merge numbers, and the lowest merges first. With
  // scores, a text starts as its characters (as bytes, with ids from kFirstScoredByte, if they are not tokens),
  // `merged` holds token ids, and the highest score merges first.
  std::span<const std::uint32_t> scores;  // bits of f32, [vocab_size]; or empty
  const StringIndex* tokens = nullptr;
  // Whether no token has a space after another character, so that nothing merges across the start of a word.
  bool cuts_words = false;
};

inline constexpr std::uint32_t kFirstScoredByte = 3;

// Appends the ids of `text`: within each piece, the first pair in order merges, leftmost first. O(n log n) for a piece
// of n bytes; repeated pieces of a text are cached. With scores, a text without word boundaries is one piece.
void encode_bpe(std::vector<std::uint32_t>& ids, std::string_view text, const MergeRules& rules);

}  // namespace tied
