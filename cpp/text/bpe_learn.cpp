// Learns merges. A list holds all positions of each pair, so a merge touches only those.
#include "text/bpe.h"

#include "base/error.h"
#include "base/memory.h"

namespace tied {
namespace {

std::uint32_t count_of_key(std::uint64_t key) { return ~static_cast<std::uint32_t>(key >> 32); }
TokenPair pair_of_key(std::uint64_t key) { return {number_of(key) >> 16, number_of(key) & 0xFFFF}; }

// Bytes that can be cut in about the time that merging at one place takes.
constexpr std::size_t kBytesAPlace = 8;

}  // namespace

// Key of a pair with its count at the time it enters the heap, such that the smallest key is the best: most frequent,
// then smallest left id, then smallest right id. A text of at most kLongestText bytes has counts of 31 bits; ids have
// 16.
std::uint64_t MergeLearner::key_of_pair(const Pair& pair) {
  return key_of(~pair.count, pair.ids.left << 16 | pair.ids.right);
}

std::uint64_t MergeLearner::bytes_needed(const StringIndex& pieces) {
  return std::uint64_t{sizeof(Node)} * pieces.total_bytes();
}

MergeLearner::MergeLearner(const StringIndex& pieces, const std::vector<std::uint32_t>& counts, std::size_t most)
    : pieces_(pieces), counts_(counts), most_(most) {
  TIED_ASSERT(most <= kMaxBpeMerges);
  nodes_.reserve(pieces.total_bytes());
  lengths_.assign(kByteTokens, 1);
}

double MergeLearner::share() const {
  if (finished_) return 1;
  return most_ == 0 ? 0 : static_cast<double>(merges_.size()) / static_cast<double>(most_);
}

bool MergeLearner::advance(std::size_t bytes) {
  places_touched_ = 0;
  while (!finished_ && !out_of_memory_ && places_touched_ * kBytesAPlace <= bytes) {
    if (next_piece_ < pieces_.size()) {
      add_piece(pieces_.at(next_piece_), counts_[next_piece_]);
      if (++next_piece_ == pieces_.size()) push_candidates(0);
    } else {
      finished_ = !merge_best() && !out_of_memory_;
    }
  }
  return !out_of_memory_;
}

// False if no pair is left, all requested merges exist, or memory runs out.
bool MergeLearner::merge_best() {
  while (merges_.size() < most_ && !heap_.empty() && !out_of_memory_) {
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
    out_of_memory_ = !try_reserve(merges_) || !try_reserve(lengths_);
    if (out_of_memory_) return false;
    merge(pair, kByteTokens + static_cast<std::uint32_t>(merges_.size()));
    lengths_.push_back(length);
    merges_.push_back(best);
    return true;
  }
  return false;
}

void MergeLearner::add_piece(std::string_view piece, std::uint32_t weight) {
  const auto begin = static_cast<std::uint32_t>(nodes_.size());
  for (const char byte : piece) {
    const auto here = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({.id = static_cast<unsigned char>(byte), .weight = weight});
    if (here == begin) continue;
    nodes_[here].previous = here - 1;
    nodes_[here - 1].next = here;
    add_place(here - 1);
    if (out_of_memory_) return;
  }
}

// Counts the new pair that starts at `place`.
void MergeLearner::add_place(std::uint32_t place) {
  if (!out_of_memory_) out_of_memory_ = !try_reserve(pairs_);
  if (out_of_memory_) return;
  Node& node = nodes_[place];
  const TokenPair ids{node.id, nodes_[node.next].id};
  const std::uint32_t number = pair_numbers_.find_or_insert(ids, static_cast<std::uint32_t>(pairs_.size()));
  out_of_memory_ = number == PairIndex::kNone;
  if (out_of_memory_) return;
  if (number == pairs_.size()) pairs_.push_back({.ids = ids});
  Pair& pair = pairs_[number];
  node.pair = number;
  node.earlier = pair.last;
  node.later = kNone;
  (pair.last == kNone ? pair.first : nodes_[pair.last].later) = place;
  pair.last = place;
  pair.count += node.weight;
  ++places_touched_;
}

// Uncounts the pair that starts at `place`, before it disappears.
void MergeLearner::remove_place(std::uint32_t place) {
  Node& node = nodes_[place];
  Pair& pair = pairs_[node.pair];
  (node.earlier == kNone ? pair.first : nodes_[node.earlier].later) = node.later;
  (node.later == kNone ? pair.last : nodes_[node.later].earlier) = node.earlier;
  pair.count -= node.weight;
  node.pair = kNone;
}

// Every list is filled in the order of the text: all positions of a pair with a new token appear while that token is
// created, from left to right. So "aaa" becomes (aa)a, as in encoding.
void MergeLearner::merge(std::uint32_t number, std::uint32_t token) {
  const std::size_t first_new = pairs_.size();
  while (pairs_[number].first != kNone && !out_of_memory_) {
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

void MergeLearner::push_candidates(std::size_t first) {
  for (std::size_t pair = first; pair < pairs_.size(); ++pair) push_candidate(static_cast<std::uint32_t>(pair));
}

void MergeLearner::push_candidate(std::uint32_t pair) {
  if (pairs_[pair].count < 2) return;
  if (!heap_.push(key_of_pair(pairs_[pair]))) out_of_memory_ = true;
}

}  // namespace tied
