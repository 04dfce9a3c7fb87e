// The pairs of mirror entries that differ most, selected from a stream of pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/heap.h"

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
      heap_sift_down(pairs_.data(), pairs_.size(), 0, pair, after);
      return;
    }
    pairs_.push_back(pair);
    heap_push(pairs_.data(), pairs_.size() - 1, pair, after);
  }

  // Largest difference first, ties by row, then column.
  std::vector<Pair> sorted() && {
    heap_sort(pairs_.data(), pairs_.size(), after);
    return std::move(pairs_);
  }

 private:
  static bool before(const Pair& a, const Pair& b) {
    if (a.difference != b.difference) return a.difference > b.difference;
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  }

  // The next to be dropped is on top.
  static bool after(const Pair& a, const Pair& b) { return before(b, a); }

  std::size_t limit_;
  std::vector<Pair> pairs_;
};

}  // namespace tied
