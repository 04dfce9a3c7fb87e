// Little-endian numbers and text, to and from bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace tied {

// Holds on every target: by definition for wasm, in practice for the native ones.
static_assert(std::endian::native == std::endian::little);

inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Writes the bytes of a file that fall into a block, and counts all others. Without a block it only counts, so the size
// of a file is known before it is written.
class ByteWriter {
 public:
  // `part` receives the bytes of the file from position `first` on.
  explicit ByteWriter(std::span<std::uint8_t> part = {}, std::uint64_t first = 0) : part_(part), first_(first) {}

  template <class Number>
  void write(Number number) {
    write_all(&number, 1);
  }
  template <class Number>
  void write_all(const Number* numbers, std::size_t size) {
    static_assert(std::is_arithmetic_v<Number>);
    write_bytes({reinterpret_cast<const std::uint8_t*>(numbers), size * sizeof(Number)});
  }
  void write_text(std::string_view text) { write_bytes(bytes_of(text)); }
  // The low `size` <= 8 bytes of `bits`.
  void write_bits(std::uint64_t bits, std::size_t size) {
    write_bytes({reinterpret_cast<const std::uint8_t*>(&bits), size});
  }
  void write_bytes(std::span<const std::uint8_t> bytes);
  // If none of the next `bytes` bytes falls into the block, counts them and returns true.
  bool skips(std::uint64_t bytes);

  // Bytes so far, in the block or not.
  std::uint64_t size() const { return size_; }
  // Where the block ends in the file; 0 without a block.
  std::uint64_t part_end() const { return first_ + part_.size(); }
  // The part of the block that has been written.
  std::span<const std::uint8_t> written() const;

 private:
  std::span<std::uint8_t> part_;
  std::uint64_t first_;
  std::uint64_t size_ = 0;
};

// Reads from the front. A read past the end returns zeros or nothing, does not move the position, and makes `failed()`
// true from then on.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  explicit ByteReader(std::string_view text) : bytes_(bytes_of(text)) {}

  template <class Number>
  Number read() {
    Number number;
    read_all(&number, 1);
    return number;
  }
  template <class Number>
  void read_all(Number* numbers, std::size_t size) {
    static_assert(std::is_arithmetic_v<Number>);
    copy_to({reinterpret_cast<std::uint8_t*>(numbers), size * sizeof(Number)});
  }
  // An unsigned integer of `size` <= 8 bytes.
  std::uint64_t read_bits(std::size_t size) {
    std::uint64_t bits = 0;
    copy_to({reinterpret_cast<std::uint8_t*>(&bits), size});
    return bits;
  }
  // A view of the next bytes.
  std::span<const std::uint8_t> read_span(std::size_t size);
  std::string_view read_text(std::size_t size) {
    const std::span<const std::uint8_t> bytes = read_span(size);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size() - position_; }
  bool failed() const { return failed_; }

 private:
  void copy_to(std::span<std::uint8_t> to);

  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
  bool failed_ = false;
};

}  // namespace tied
