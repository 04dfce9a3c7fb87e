// Little-endian numbers in and out of bytes, whatever the machine.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/error.h"

namespace tied {

// The unsigned integer with the bits of a number.
template <class Number>
using BitsOf =
    std::conditional_t<sizeof(Number) == 1, std::uint8_t,
                       std::conditional_t<sizeof(Number) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>>>;

// Writes to a block, or, where there is none, counts the bytes that it would write: a file's size is then known before
// memory is taken for it. The work is done out of line for all kinds of numbers: files are rare, and code size is
// payload.
class ByteWriter {
 public:
  ByteWriter() = default;
  // `bytes` must be large enough.
  explicit ByteWriter(std::span<std::uint8_t> bytes) : bytes_(bytes) {}

  template <class Number>
  void write(Number number) {
    write_bits(std::bit_cast<BitsOf<Number>>(number), sizeof(Number));
  }
  template <class Number>
  void write_all(const Number* numbers, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) write(numbers[i]);
  }
  // The low `bytes` bytes of `bits`.
  void write_bits(std::uint64_t bits, std::size_t bytes);

  std::size_t size() const { return size_; }

 private:
  std::span<std::uint8_t> bytes_;
  std::size_t size_ = 0;
};

// Reads from the front. Past the end every number is 0 and `failed()` is true from then on.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class Number>
  Number read() {
    return std::bit_cast<Number>(static_cast<BitsOf<Number>>(read_bits(sizeof(Number))));
  }
  template <class Number>
  void read_all(Number* numbers, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) numbers[i] = read<Number>();
  }
  std::uint64_t read_bits(std::size_t bytes);
  // The next `size` <= remaining() bytes, as they stand.
  std::span<const std::uint8_t> read_span(std::size_t size) {
    position_ += size;
    return bytes_.subspan(position_ - size, size);
  }

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size() - position_; }
  bool failed() const { return failed_; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
  bool failed_ = false;
};

}  // namespace tied
