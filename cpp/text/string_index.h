// A set of different strings, numbered in the order in which they came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tied {

// All bytes lie in one block and the table holds numbers only: a vocabulary costs a few allocations, not one a word.
// Views that `at` gives are valid until the next `add`.
class StringIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  std::size_t size() const { return ends_.size(); }
  std::string_view at(std::size_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return {bytes_.data() + begin, ends_[number] - begin};
  }
  // All bytes of all strings.
  std::size_t total_bytes() const { return bytes_.size(); }

  // The number of `text`, or kNone.
  std::uint32_t find(std::string_view text) const;
  // The number of `text`, which becomes the newest where it is not there yet.
  std::uint32_t add(std::string_view text) { return put(text, false); }
  // As the newest, whether it is there already or not; `find` then gives the first.
  std::uint32_t append(std::string_view text) { return put(text, true); }

 private:
  std::uint32_t put(std::string_view text, bool always);
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  void grow();

  std::string bytes_;
  std::vector<std::uint32_t> ends_;    // where string i ends in bytes_
  std::vector<std::uint32_t> hashes_;  // of string i, so that growing reads no bytes
  std::vector<std::uint32_t> slots_;   // open addressing, number + 1, 0 = free; a power of two, at most half full
};

}  // namespace tied
