#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_stream.h"

using namespace tied;

TEST_CASE("numbers are written little-endian, and a writer without a block counts the same bytes") {
  std::array<std::uint8_t, 21> bytes{};
  ByteWriter out(bytes);
  ByteWriter counter;
  for (ByteWriter* writer : {&out, &counter}) {
    writer->write(std::uint32_t{0x04030201});
    writer->write(1.0f);
    writer->write_bits(0x0A0B0C, 2);
    writer->write_text("xyz");
    const double two[] = {2.0};
    writer->write_all(two, 1);
  }
  const std::array<std::uint8_t, 21> expected{1,   2,   3, 4, 0, 0, 0x80, 0x3F, 0x0C, 0x0B, 'x',
                                              'y', 'z', 0, 0, 0, 0, 0,    0,    0,    0x40};
  CHECK(bytes == expected);
  CHECK(out.size() == 21);
  CHECK(counter.size() == 21);
}

TEST_CASE("a reader returns what was written") {
  std::array<std::uint8_t, 64> bytes{};
  ByteWriter out(bytes);
  const float floats[] = {1.5f, -0.0f, 3e-41f};
  out.write(std::uint64_t{0x0123456789ABCDEF});
  out.write_all(floats, 3);
  out.write_bits(0xABCDEF, 3);
  out.write_text("text");

  ByteReader in(out.written());
  CHECK(in.read<std::uint64_t>() == 0x0123456789ABCDEF);
  float read[3];
  in.read_all(read, 3);
  for (int i = 0; i < 3; ++i) CHECK(std::bit_cast<std::uint32_t>(read[i]) == std::bit_cast<std::uint32_t>(floats[i]));
  CHECK(in.read_bits(3) == 0xABCDEF);
  CHECK(in.read_text(4) == "text");
  CHECK(in.remaining() == 0);
  CHECK_FALSE(in.failed());
}

TEST_CASE("a read past the end returns nothing, does not move, and is remembered") {
  ByteReader in("12345");
  CHECK(in.read_text(3) == "123");
  CHECK(in.read<std::uint32_t>() == 0);
  CHECK(in.failed());
  CHECK(in.position() == 3);
  CHECK(in.read_text(static_cast<std::size_t>(-1)).empty());
  CHECK(in.read_bits(8) == 0);
  CHECK(in.read<std::uint8_t>() == '4');
  CHECK(in.remaining() == 1);
  CHECK(in.failed());
}

TEST_CASE("a writer for a part of a file stores the bytes that fall into the part, and counts all") {
  const auto write = [](ByteWriter& out) {
    out.write_text("abcde");
    out.write(std::uint16_t{0x6766});
    out.write_text("");
    out.write_text("hij");
  };
  for (std::uint64_t first = 0; first < 12; ++first) {
    for (std::size_t size = 0; size < 12; ++size) {
      std::vector<std::uint8_t> part(size, '-');
      ByteWriter out(part, first);
      write(out);
      const std::string all = "abcdefghij--------------";
      CHECK(std::string(part.begin(), part.end()) == all.substr(static_cast<std::size_t>(first), size));
      CHECK(out.size() == 10);
      CHECK(out.written().size() == std::min<std::uint64_t>(size, first < 10 ? 10 - first : 0));
    }
  }
}

TEST_CASE("a writer skips bytes only if none falls into its part") {
  std::array<std::uint8_t, 4> part{};
  ByteWriter out(part, 10);
  CHECK(out.skips(10));
  CHECK_FALSE(out.skips(1));
  CHECK(out.size() == 10);
  out.write_text("1234");
  CHECK(out.skips(1'000'000'000'000));
  CHECK(out.size() == 1'000'000'000'014);
  CHECK(part == std::array<std::uint8_t, 4>{'1', '2', '3', '4'});
}
