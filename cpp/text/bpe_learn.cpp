// Learns merges. A list holds all positions of each pair, so that a merge touches only those.
#include "text/bpe.h"
#include "text/bpe_pieces.h"
#include "text/key_heap.h"
#include "text/limits.h"
#include "text/string_index.h"

namespace tied {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;

// A token at a position of one of the distinct pieces.
struct Node {
  std::uint32_t id = 0;
  std::uint32_t previous = kNone;  // neighbours in the piece
  std::uint32_t next = kNone;
  std::uint32_t pair = kNone;     // the pair that starts here
  std::uint32_t earlier = kNone;  // positions of the same pair, in the order of the text
  std::uint32_t later = kNone;
  std::uint32_t weight = 0;  // how often the piece occurs
};

struct Pair {
  TokenPair ids;
  std::uint32_t count = 0;
  std::uint32_t first = kNone;  // positions
  std::uint32_t last = kNone;
};

// Key of a pair with its count at the time it enters the heap, such that the smallest key is the best: most frequent,
// then smallest left id, then smallest right id. A text of at most kLongestText bytes has counts of 31 bits; ids have
// 16.
std::uint64_t key_of_pair(const Pair& pair) { return key_of(~pair.count, pair.ids.left << 16 | pair.ids.right); }
std::uint32_t count_of_key(std::uint64_t key) { return ~static_cast<std::uint32_t>(key >> 32); }
TokenPair pair_of_key(std::uint64_t key) { return {number_of(key) >> 16, number_of(key) & 0xFFFF}; }

class MergeLearner {
 public:
  MergeLearner(const StringIndex& pieces, const std::vector<std::uint32_t>& piece_counts) {
    nodes_.reserve(pieces.total_bytes());
    for (std::uint32_t piece = 0; piece < pieces.size(); ++piece) add_piece(pieces.at(piece), piece_counts[piece]);
    lengths_.assign(kByteTokens, 1);
    push_candidates(0);
  }

  std::vector<TokenPair> learn(std::size_t max_merges) {
    std::vector<TokenPair> merges;
    while (merges.size() < max_merges && !heap_.empty()) {
      const std::uint64_t key = heap_.pop();
      const TokenPair best = pair_of_key(key);
      const std::uint32_t pair = pair_numbers_.find(best);
      // Counts only fall after a pair has entered, so a key is never worse than its pair.
      if (pairs_[pair].count != count_of_key(key)) {
        push_candidate(pair);
        continue;
      }
      const std::uint32_t length = lengths_[best.left] + lengths_[best.right];
      if (length > kLongestBpeToken) continue;
      merge(pair, kByteTokens + static_cast<std::uint32_t>(merges.size()));
      lengths_.push_back(length);
      merges.push_back(best);
    }
    return merges;
  }

 private:
  void add_piece(std::string_view piece, std::uint32_t weight) {
    const auto begin = static_cast<std::uint32_t>(nodes_.size());
    for (const char byte : piece) {
      const auto here = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({.id = static_cast<unsigned char>(byte), .weight = weight});
      if (here == begin) continue;
      nodes_[here].previous = here - 1;
      nodes_[here - 1].next = here;
      add_place(here - 1);
    }
  }

  // Counts the new pair that starts at `place`.
  void add_place(std::uint32_t place) {
    Node& node = nodes_[place];
    const TokenPair ids{node.id, nodes_[node.next].id};
    const std::uint32_t number = pair_numbers_.find_or_insert(ids, static_cast<std::uint32_t>(pairs_.size()));
    if (number == pairs_.size()) pairs_.push_back({.ids = ids});
    Pair& pair = pairs_[number];
    node.pair = number;
    node.earlier = pair.last;
    node.later = kNone;
    (pair.last == kNone ? pair.first : nodes_[pair.last].later) = place;
    pair.last = place;
    pair.count += node.weight;
  }

  // Uncounts the pair that starts at `place`, before it disappears.
  void remove_place(std::uint32_t place) {
    Node& node = nodes_[place];
    Pair& pair = pairs_[node.pair];
    (node.earlier == kNone ? pair.first : nodes_[node.earlier].later) = node.later;
    (node.later == kNone ? pair.last : nodes_[node.later].earlier) = node.earlier;
    pair.count -= node.weight;
    node.pair = kNone;
  }

  // Every list is filled in the order of the text: all positions of a pair with a new token appear while that token is
  // created, from left to right. So "aaa" becomes (aa)a, as in encoding.
  void merge(std::uint32_t number, std::uint32_t token) {
    const std::size_t first_new = pairs_.size();
    while (pairs_[number].first != kNone) {
      const std::uint32_t left = pairs_[number].first;
      const std::uint32_t right = nodes_[left].next;
      const std::uint32_t before = nodes_[left].previous;
      const std::uint32_t after = nodes_[right].next;
      if (before != kNone) remove_place(before);
      remove_place(left);
      if (after != kNone) remove_place(right);
      nodes_[left].id = token;
      nodes_[left].next = after;
      if (after != kNone) nodes_[after].previous = left;
      if (before != kNone) add_place(before);
      if (after != kNone) add_place(left);
    }
    push_candidates(first_new);
  }

  void push_candidates(std::size_t first) {
    for (std::size_t pair = first; pair < pairs_.size(); ++pair) push_candidate(static_cast<std::uint32_t>(pair));
  }

  void push_candidate(std::uint32_t pair) {
    if (pairs_[pair].count < 2) return;
    heap_.push(key_of_pair(pairs_[pair]));
  }

  std::vector<Node> nodes_;
  std::vector<Pair> pairs_;
  PairIndex pair_numbers_;
  KeyHeap heap_;
  std::vector<std::uint32_t> lengths_;  // bytes of every token
};

}  // namespace

Result<std::vector<TokenPair>> learn_merges(std::string_view text, std::size_t max_merges) {
  TIED_ASSERT(text.size() <= kLongestText && max_merges <= kMaxBpeMerges);
  if (auto memory = check_memory("text length", text.size(), std::uint64_t{2} * text.size()); !memory) return memory;
  StringIndex pieces;
  std::vector<std::uint32_t> counts;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t end = end_of_bpe_piece(text, position);
    const std::uint32_t piece = pieces.add(text.substr(position, end - position));
    if (piece == counts.size()) counts.push_back(0);
    ++counts[piece];
    position = end;
  }
  // The nodes, and at least as much for the pairs of a text with few repetitions.
  if (auto memory = check_memory("text length", text.size(), std::uint64_t{2} * sizeof(Node) * pieces.total_bytes());
      !memory) {
    return memory;
  }
  return MergeLearner(pieces, counts).learn(max_merges);
}

}  // namespace tied
