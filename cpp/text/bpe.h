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
// No merge makes a token longer than this, so that no vocabulary of n tokens needs more than 256 n bytes.
inline constexpr std::size_t kLongestBpeToken = 256;

// So that ids have 16 bits.
inline constexpr std::size_t kMostBpeMerges = 65536 - kByteTokens;

// Up to `max_merges` merges, each of the pair of neighbouring tokens that occurs most often within the pieces of the
// text (bpe_pieces.h) at that time. Merge i makes token 256 + i. Ties go to the smaller left id, then to the smaller
// right id. Ends early where no pair is left that occurs twice. Time: O(text) for cutting, then in proportion to the
// merged places of the different pieces. text is at most kLongestText bytes, max_merges at most kMostBpeMerges. Errors:
// kOutOfMemory.
Result<std::vector<TokenPair>> learn_merges(std::string_view text, std::size_t max_merges);

// What is merged, and which pair first.
struct MergeRules {
  const PairIndex& merged;  // (left, right) -> number
  // BPE has no scores: a text begins as its bytes, numbers are those of merges, and the lowest goes first. Else a text
  // begins as its characters, those that are no token as bytes (ids from kFirstScoredByte on), numbers are ids of
  // tokens, and the highest score goes first.
  std::span<const std::uint32_t> scores;  // bits of f32, [vocab_size]; or empty
  const StringIndex* tokens = nullptr;
  // Whether no token has a space after something else, so that nothing is merged across the beginning of a word.
  bool cuts_words = false;
};

inline constexpr std::uint32_t kFirstScoredByte = 3;

// Appends the ids of `text`: within every piece, always the pair that goes first, leftmost first. O(n log n) for a
// piece of n bytes, and pieces seen before in the same text are looked up. With scores a text without words to cut is
// one piece.
void encode_bpe(std::vector<std::uint32_t>& ids, std::string_view text, const MergeRules& rules);

}  // namespace tied
