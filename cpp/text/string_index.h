// A set of distinct strings, numbered in order of insertion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tied {

// All bytes are in one block and the table holds only numbers: a vocabulary takes a few allocations, not one per word.
// Views returned by `at` are valid until the next insertion.
class StringIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  std::size_t size() const { return ends_.size(); }
  std::string_view at(std::size_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return {bytes_.data() + begin, ends_[number] - begin};
  }
  // Whether an insertion failed for lack of memory. All later ones of new strings fail too.
  bool out_of_memory() const { return out_of_memory_; }
  // All bytes of all strings.
  std::size_t total_bytes() const { return bytes_.size(); }

  // The number of `text`, or kNone.
  std::uint32_t find(std::string_view text) const;
  // The number of `text`, which is inserted if it is new; kNone if memory runs out.
  std::uint32_t add(std::string_view text) { return put(text, false); }
  // Inserts `text` even if it exists already; `find` then returns the first. kNone if memory runs out.
  std::uint32_t append(std::string_view text) { return put(text, true); }

 private:
  std::uint32_t put(std::string_view text, bool always);
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  bool reserve_for(std::string_view text);
  bool grow();

  std::string bytes_;
  std::vector<std::uint32_t> ends_;    // end of string i in bytes_
  std::vector<std::uint32_t> hashes_;  // hash of string i, so that growing reads no bytes
  std::vector<std::uint32_t> slots_;   // open addressing, number + 1, 0 = free; a power of two, at most half full
  bool out_of_memory_ = false;
};

// Adds 1 to counts[number], where `number` comes from an index whose new numbers are consecutive. False if it is kNone
// or memory runs out.
[[nodiscard]] bool count_number(std::vector<std::uint32_t>& counts, std::uint32_t number);

}  // namespace tied
