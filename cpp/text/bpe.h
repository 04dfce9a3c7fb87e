// Byte pair encoding: learning merges from a text, and applying them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "text/key_heap.h"
#include "text/pair_index.h"
#include "text/string_index.h"

namespace tied {

inline constexpr std::uint32_t kByteTokens = 256;
// Maximum length of a token, so a vocabulary of n tokens never needs more than 256 n bytes.
inline constexpr std::size_t kLongestBpeToken = 256;

// Keeps ids within 16 bits.
inline constexpr std::size_t kMaxBpeMerges = 65536 - kByteTokens;

// Learns up to `most` merges from the distinct pieces of a text (bpe_pieces.h) and their counts. Each merge takes the
// pair of neighboring tokens that occurs most often within the pieces at that time; merge i makes token 256 + i. Ties
// go to the smaller left id, then to the smaller right id. Ends early if no pair occurs twice. The pieces, of a text of
// at most kLongestText bytes, must outlive it; most is at most kMaxBpeMerges.
class MergeLearner {
 public:
  MergeLearner(const StringIndex& pieces, const std::vector<std::uint32_t>& counts, std::size_t most);
  // Bytes that the constructor allocates; the caller checks that they fit in memory.
  static std::uint64_t bytes_needed(const StringIndex& pieces);

  bool finished() const { return finished_; }
  // Progress from 0 to 1: the fraction of the `most` merges that have been learned.
  double share() const;
  // Works for about as long as cutting `bytes` bytes of text takes, at least for one piece or merge. False once memory
  // has run out.
  [[nodiscard]] bool advance(std::size_t bytes);
  std::vector<TokenPair> take_merges() { return std::move(merges_); }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  // A token at a position of one of the distinct pieces.
  struct Node {
    std::uint32_t id = 0;
    std::uint32_t previous = kNone;  // neighbors in the piece
    std::uint32_t next = kNone;
    std::uint32_t pair = kNone;     // the pair that begins here
    std::uint32_t earlier = kNone;  // occurrences of the same pair, in the order of the text
    std::uint32_t later = kNone;
    std::uint32_t weight = 0;  // how often the piece occurs
  };

  struct Pair {
    TokenPair ids;
    std::uint32_t count = 0;
    std::uint32_t first = kNone;  // positions
    std::uint32_t last = kNone;
  };

  static std::uint64_t key_of_pair(const Pair& pair);
  void add_piece(std::string_view piece, std::uint32_t weight);
  void add_place(std::uint32_t place);
  void remove_place(std::uint32_t place);
  bool merge_best();
  void merge(std::uint32_t number, std::uint32_t token);
  void push_candidates(std::size_t first);
  void push_candidate(std::uint32_t pair);

  const StringIndex& pieces_;
  const std::vector<std::uint32_t>& counts_;
  std::size_t most_;
  std::uint32_t next_piece_ = 0;
  bool finished_ = false;
  bool out_of_memory_ = false;
  std::size_t places_touched_ = 0;
  std::vector<TokenPair> merges_;
  std::vector<Node> nodes_;
  std::vector<Pair> pairs_;
  PairIndex pair_numbers_;
  KeyHeap heap_;
  std::vector<std::uint32_t> lengths_;  // bytes of every token
};

// Which pairs are merged, and in which order.
struct MergeRules {
  const PairIndex& merged;  // (left, right) -> number
  // Without scores (BPE), a text starts as its bytes, `merged` holds merge numbers, and the lowest merges first. With
  // scores, a text starts as its characters (as bytes, with ids from kFirstScoredByte, if they are not tokens),
  // `merged` holds token ids, and the highest score merges first.
  std::span<const std::uint32_t> scores;  // bits of f32, [vocab_size]; or empty
  const StringIndex* tokens = nullptr;
  // Whether no token has a space after another character, so nothing merges across the start of a word.
  bool cuts_words = false;
  // For GPT-2, whose ids have an order of their own: the id of each byte [256], and of the token that each merge makes.
  // Pieces are then GPT-2's. Otherwise both are empty: bytes have ids 0 to 255, and merge i makes 256 + i.
  std::span<const std::uint32_t> byte_ids;
  std::span<const std::uint32_t> made;
};

inline constexpr std::uint32_t kFirstScoredByte = 3;

// Applies merges to a text, a part at a time: within each piece, always the pair that merges first, leftmost first. O(n
// log n) for a piece of n bytes; pieces seen before are looked up. With scores, a text that is not cut into words is
// one piece.
class BpeEncoder {
 public:
  explicit BpeEncoder(const MergeRules& rules) : rules_(rules) {}

  // Appends the ids of the pieces that begin in text[position, end), and moves `position` past the last of them. False
  // once memory has run out.
  [[nodiscard]] bool encode(std::vector<std::uint32_t>& ids, std::string_view text, std::size_t& position,
                            std::size_t end);

 private:
  struct Node {
    std::uint32_t id;
    std::uint32_t previous;
    std::uint32_t next;
    std::uint32_t merge;  // number of the merge of this token and the next one; none if they do not merge
  };

  bool has_scores() const { return !rules_.scores.empty(); }
  std::uint32_t order_of(std::uint32_t number) const;
  std::size_t end_of_piece(std::string_view text, std::size_t begin) const;
  bool encode_piece(std::vector<std::uint32_t>& ids, std::string_view piece);
  bool append_cached(std::vector<std::uint32_t>& ids, std::string_view piece, std::uint32_t number);
  void append_parts(std::vector<std::uint32_t>& ids, std::string_view piece);
  void start(std::span<const std::uint32_t> ids);
  void look_up(std::uint32_t place);
  void merge(std::uint32_t place);

  MergeRules rules_;
  std::vector<Node> nodes_;
  KeyHeap heap_;
  StringIndex cache_;
  std::vector<std::uint32_t> cached_ids_;
  std::vector<std::uint32_t> cached_ends_;
  bool out_of_memory_ = false;
};

}  // namespace tied
