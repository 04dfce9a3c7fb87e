// The strongly connected components of a table of pairs: tokens that lead to each other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "direct_path/joint.h"

namespace tied {

// Components of the directed graph of J [n, n] with an edge from i to j where J_ij > 0 (R. Tarjan, "Depth-first search
// and linear graph algorithms", SIAM J. Comput. 1, 1972), found a part at a time. Every call gets the same table.
class StrongComponents {
 public:
  bool finished() const { return finished_; }
  // Reads about `entries` more entries of the table. Errors: kOutOfMemory.
  Status advance(const Joint& joint, std::size_t entries);
  // Once finished. Tokens of one component have the same number, from 1.
  std::uint32_t component(std::size_t token) const { return components_[token]; }
  // Tokens in the largest component.
  std::size_t largest() const { return largest_; }

 private:
  Status start(std::size_t tokens);
  void enter(std::uint32_t token);
  void leave(std::uint32_t token);

  bool finished_ = false;
  std::size_t largest_ = 0;
  std::uint32_t found_ = 0;    // components
  std::uint32_t entered_ = 0;  // tokens
  std::size_t root_ = 0;       // the next token to begin at
  AlignedBuffer<std::uint32_t> components_;
  // Order of entering, from 1; and the first token in that order that a token leads back to.
  AlignedBuffer<std::uint32_t> order_;
  AlignedBuffer<std::uint32_t> earliest_;
  // The next column to read in a token's row.
  AlignedBuffer<std::uint32_t> columns_;
  // The path from the root to the current token; and the tokens entered that have no component yet.
  AlignedBuffer<std::uint32_t> path_;
  AlignedBuffer<std::uint32_t> open_;
  std::size_t path_size_ = 0;
  std::size_t open_size_ = 0;
};

}  // namespace tied
