// Parses the fuzzer's input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>

#include "checkpoint/element_type.h"

namespace tied::fuzz {

using Bytes = std::span<const std::uint8_t>;

// Ends the program, which the fuzzer then reports together with the input.
[[noreturn]] inline void fault(const char* what) {
  std::fprintf(stderr, "fault: %s\n", what);
  std::abort();
}
inline void check(bool holds, const char* what) {
  if (!holds) fault(what);
}

class Input {
 public:
  explicit Input(Bytes bytes) : rest_(bytes) {}

  // 0 at the end.
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const std::uint8_t first = rest_[0];
    rest_ = rest_.subspan(1);
    return first;
  }
  ElementType type() { return static_cast<ElementType>(byte() % kElementTypes); }
  Bytes rest() const { return rest_; }

 private:
  Bytes rest_;
};

// In memory that ends with the last byte, at an odd address if `odd` is true, so the sanitizer detects every read
// beyond it.
class Exactly {
 public:
  Exactly(Bytes bytes, bool odd) : first_(odd ? 1 : 0), size_(bytes.size()), kept_(new std::uint8_t[first_ + size_]) {
    for (std::size_t i = 0; i < size_; ++i) kept_[first_ + i] = bytes[i];
  }
  Bytes bytes() const { return {kept_.get() + first_, size_}; }

 private:
  std::size_t first_;
  std::size_t size_;
  std::unique_ptr<std::uint8_t[]> kept_;
};

}  // namespace tied::fuzz
