// The pairs of mirror entries that differ most, selected from a stream of pairs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tied {

// At most `limit` pairs in a heap whose top is the next to be dropped.
class WorstPairs {
 public:
  struct Pair {
    double difference;  // |a_ij - a_ji|
    std::uint32_t row;
    std::uint32_t col;
  };

  // Reserves all memory; the caller bounds `limit`.
  explicit WorstPairs(std::size_t limit) : limit_(limit) { pairs_.reserve(limit); }

  bool full() const { return pairs_.size() == limit_; }

  void offer(double difference, std::size_t row, std::size_t col) {
    if (limit_ == 0) return;
    const Pair pair{difference, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col)};
    if (full()) {
      if (!before(pair, pairs_.front())) return;
      std::pop_heap(pairs_.begin(), pairs_.end(), before);
      pairs_.pop_back();
    }
    pairs_.push_back(pair);
    std::push_heap(pairs_.begin(), pairs_.end(), before);
  }

  // Largest difference first, ties by row, then column.
  std::vector<Pair> sorted() && {
    std::sort_heap(pairs_.begin(), pairs_.end(), before);
    return std::move(pairs_);
  }

 private:
  static bool before(const Pair& a, const Pair& b) {
    if (a.difference != b.difference) return a.difference > b.difference;
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  }

  std::size_t limit_;
  std::vector<Pair> pairs_;
};

}  // namespace tied
