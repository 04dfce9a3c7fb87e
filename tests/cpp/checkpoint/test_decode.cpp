#include "checkpoint/decode.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "base/hash.h"
#include "fuzzers/plain_elements.h"
#include "reference/decoders_reference.h"
#include "reference/ggml_blocks_reference.h"
#include "support.h"

namespace tied {
namespace {

using Stored = std::span<const std::uint8_t>;

// Decodes from memory exactly as long as the elements, so a sanitizer sees each read beyond them.
std::vector<float> decoded(ElementType type, Stored bytes, std::size_t elements) {
  const auto copy = std::make_unique<std::uint8_t[]>(bytes.size());
  if (!bytes.empty()) std::memcpy(copy.get(), bytes.data(), bytes.size());
  std::vector<float> out(elements);
  const Status status = decode_elements(out, type, {copy.get(), bytes.size()});
  REQUIRE(status.ok());
  return out;
}

std::uint32_t bits_of(float value) { return std::isnan(value) ? 0x7FC00000 : std::bit_cast<std::uint32_t>(value); }

std::uint64_t hash_of_bits(const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes;
  for (const float value : values) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(bits_of(value) >> shift));
  }
  return fnv1a_64(bytes);
}

// All values of `size` bytes.
std::vector<std::uint8_t> all_numbers(std::size_t size) {
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t i = 0; i < (size == 1 ? 256U : 65536U); ++i) {
    bytes.push_back(static_cast<std::uint8_t>(i));
    if (size == 2) bytes.push_back(static_cast<std::uint8_t>(i >> 8));
  }
  return bytes;
}

struct NarrowType {
  ElementType type;
  std::uint64_t hash;
};
const NarrowType kNarrowTypes[] = {
    {ElementType::kF16, reference::kF16Hash},
    {ElementType::kBf16, reference::kBf16Hash},
    {ElementType::kF8E4m3, reference::kE4m3Hash},
    {ElementType::kF8E5m2, reference::kE5m2Hash},
    {ElementType::kF8E4m3Fnuz, reference::kE4m3FnuzHash},
    {ElementType::kF8E5m2Fnuz, reference::kE5m2FnuzHash},
};

struct BlockType {
  ElementType type;
  Stored bytes;
  std::span<const std::uint32_t> first;
  std::uint64_t hash;
};
const BlockType kBlockTypes[] = {
    {ElementType::kQ80, reference::kQ8_0Bytes, reference::kQ8_0First, reference::kQ8_0Hash},
    {ElementType::kQ6K, reference::kQ6KBytes, reference::kQ6KFirst, reference::kQ6KHash},
    {ElementType::kQ5K, reference::kQ5KBytes, reference::kQ5KFirst, reference::kQ5KHash},
    {ElementType::kQ4K, reference::kQ4KBytes, reference::kQ4KFirst, reference::kQ4KHash},
    {ElementType::kQ40, reference::kQ4_0Bytes, reference::kQ4_0First, reference::kQ4_0Hash},
    {ElementType::kQ41, reference::kQ4_1Bytes, reference::kQ4_1First, reference::kQ4_1Hash},
    {ElementType::kQ50, reference::kQ5_0Bytes, reference::kQ5_0First, reference::kQ5_0Hash},
    {ElementType::kQ51, reference::kQ5_1Bytes, reference::kQ5_1First, reference::kQ5_1Hash},
    {ElementType::kQ2K, reference::kQ2KBytes, reference::kQ2KFirst, reference::kQ2KHash},
    {ElementType::kQ3K, reference::kQ3KBytes, reference::kQ3KFirst, reference::kQ3KHash},
    {ElementType::kIQ4NL, reference::kIQ4NLBytes, reference::kIQ4NLFirst, reference::kIQ4NLHash},
    {ElementType::kIQ4XS, reference::kIQ4XSBytes, reference::kIQ4XSFirst, reference::kIQ4XSHash},
    {ElementType::kMXFP4, reference::kMXFP4Bytes, reference::kMXFP4First, reference::kMXFP4Hash},
    {ElementType::kNVFP4, reference::kNVFP4Bytes, reference::kNVFP4First, reference::kNVFP4Hash},
    {ElementType::kTQ10, reference::kTQ10Bytes, reference::kTQ10First, reference::kTQ10Hash},
    {ElementType::kTQ20, reference::kTQ20Bytes, reference::kTQ20First, reference::kTQ20Hash},
    {ElementType::kQ10, reference::kQ10Bytes, reference::kQ10First, reference::kQ10Hash},
    {ElementType::kQ20, reference::kQ20Bytes, reference::kQ20First, reference::kQ20Hash},
    {ElementType::kIQ2XXS, reference::kIQ2XXSBytes, reference::kIQ2XXSFirst, reference::kIQ2XXSHash},
    {ElementType::kIQ2XS, reference::kIQ2XSBytes, reference::kIQ2XSFirst, reference::kIQ2XSHash},
    {ElementType::kIQ2S, reference::kIQ2SBytes, reference::kIQ2SFirst, reference::kIQ2SHash},
    {ElementType::kIQ3XXS, reference::kIQ3XXSBytes, reference::kIQ3XXSFirst, reference::kIQ3XXSHash},
    {ElementType::kIQ3S, reference::kIQ3SBytes, reference::kIQ3SFirst, reference::kIQ3SHash},
    {ElementType::kIQ1S, reference::kIQ1SBytes, reference::kIQ1SFirst, reference::kIQ1SHash},
    {ElementType::kIQ1M, reference::kIQ1MBytes, reference::kIQ1MFirst, reference::kIQ1MHash},
};

std::vector<ElementType> all_types() {
  std::vector<ElementType> types;
  for (std::size_t i = 0; i < kElementTypes; ++i) types.push_back(static_cast<ElementType>(i));
  return types;
}

TEST_CASE("every 16-bit and 8-bit value is the one that its format defines") {
  for (const NarrowType& narrow : kNarrowTypes) {
    CAPTURE(static_cast<int>(narrow.type));
    const std::size_t size = block_of(narrow.type).bytes;
    const std::vector<std::uint8_t> bytes = all_numbers(size);
    CHECK(hash_of_bits(decoded(narrow.type, bytes, bytes.size() / size)) == narrow.hash);
  }
}

TEST_CASE("a 16-bit value is decoded the same next to values of any kind") {
  const std::vector<float> in_order = decoded(ElementType::kF16, all_numbers(2), 65536);
  // An odd factor: every value once, next to others of all exponents.
  std::vector<std::uint8_t> mixed;
  for (std::uint32_t i = 0; i < 65536; ++i) {
    mixed.push_back(static_cast<std::uint8_t>(i * 40503U));
    mixed.push_back(static_cast<std::uint8_t>((i * 40503U) >> 8));
  }
  const std::vector<float> found = decoded(ElementType::kF16, mixed, 65536);
  std::size_t different = 0;
  for (std::uint32_t i = 0; i < 65536; ++i) {
    if (std::bit_cast<std::uint32_t>(found[i]) != std::bit_cast<std::uint32_t>(in_order[i * 40503U % 65536]))
      ++different;
  }
  CHECK(different == 0);
}

TEST_CASE("E4M3 ends at 448 and has no infinity; its subnormal numbers are preserved") {
  const std::uint8_t bytes[] = {0x7E, 0x7F, 0xFE, 0xFF, 0x01, 0x80};
  const std::vector<float> found = decoded(ElementType::kF8E4m3, bytes, 6);
  CHECK(found[0] == 448);
  CHECK(std::isnan(found[1]));
  CHECK(found[2] == -448);
  CHECK(std::isnan(found[3]));
  CHECK(found[4] == 0x1p-9F);
  CHECK(bits_of(found[5]) == 0x80000000);
}

TEST_CASE("floats without -0 end at 240 and 57,344, and have one NaN") {
  const std::uint8_t bytes[] = {0x7F, 0x80, 0xFF, 0x01, 0x00};
  const std::vector<float> e4m3 = decoded(ElementType::kF8E4m3Fnuz, bytes, 5);
  const std::vector<float> e5m2 = decoded(ElementType::kF8E5m2Fnuz, bytes, 5);
  CHECK(e4m3[0] == 240);
  CHECK(e5m2[0] == 57344);
  for (const auto& found : {e4m3, e5m2}) {
    CHECK(std::isnan(found[1]));
    CHECK(found[2] == -found[0]);
    CHECK(bits_of(found[4]) == 0);
  }
  CHECK(e4m3[3] == 0x1p-10F);
  CHECK(e5m2[3] == 0x1p-17F);
}

TEST_CASE("a 16-bit NaN preserves its sign and payload") {
  const std::uint8_t half[] = {0x01, 0xFC};
  CHECK(std::bit_cast<std::uint32_t>(decoded(ElementType::kF16, half, 1)[0]) == 0xFF802000);
  const std::uint8_t brain[] = {0x81, 0xFF};
  CHECK(std::bit_cast<std::uint32_t>(decoded(ElementType::kBf16, brain, 1)[0]) == 0xFF810000);
}

TEST_CASE("F32 is unchanged, F64 is rounded to nearest") {
  const float infinity = std::numeric_limits<float>::infinity();
  const float floats[] = {1.5F, -0.0F, infinity, std::numeric_limits<float>::denorm_min()};
  std::vector<std::uint8_t> bytes(sizeof floats);
  std::memcpy(bytes.data(), floats, sizeof floats);
  CHECK(decoded(ElementType::kF32, bytes, 4) == std::vector<float>(std::begin(floats), std::end(floats)));

  const double doubles[] = {1.0 / 3, -1e300, 1e-46, 1 + 0x1p-24 + 0x1p-52, -std::numeric_limits<double>::infinity()};
  bytes.resize(sizeof doubles);
  std::memcpy(bytes.data(), doubles, sizeof doubles);
  const std::vector<float> rounded = decoded(ElementType::kF64, bytes, 5);
  CHECK(rounded == std::vector<float>{0x1.555556p-2F, -infinity, 0, 1 + 0x1p-23F, -infinity});
}

TEST_CASE("blocks with ordinary, negative, subnormal, zero and infinite scales agree with the reference") {
  for (const BlockType& block : kBlockTypes) {
    CAPTURE(static_cast<int>(block.type));
    const ElementBlock size = block_of(block.type);
    const std::size_t blocks = block.bytes.size() / size.bytes;
    REQUIRE(blocks >= reference::kBlockCount);
    const std::vector<float> found = decoded(block.type, block.bytes, blocks * size.elements);
    for (std::size_t i = 0; i < block.first.size(); ++i) {
      CAPTURE(i);
      CHECK(bits_of(found[i]) == block.first[i]);
    }
    CHECK(hash_of_bits(found) == block.hash);
  }
}

TEST_CASE("a table may be decoded in parts of any whole number of blocks, from any address") {
  for (const ElementType type : all_types()) {
    CAPTURE(static_cast<int>(type));
    const ElementBlock block = block_of(type);
    constexpr std::size_t kBlocks = 37;
    std::vector<std::uint8_t> bytes(kBlocks * block.bytes + 1);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 37 + i / 256 + 11);
    const Stored odd = Stored(bytes).subspan(1);
    const std::vector<float> whole = decoded(type, odd, kBlocks * block.elements);
    std::vector<float> parts(kBlocks * block.elements);
    for (std::size_t first = 0, count = 1; first < kBlocks; first += count, count = first % 7 + 1) {
      count = std::min(count, kBlocks - first);
      REQUIRE(decode_elements(std::span(parts).subspan(first * block.elements, count * block.elements), type,
                              odd.subspan(first * block.bytes, count * block.bytes))
                  .ok());
    }
    CHECK(std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(float)) == 0);
    CHECK(decoded(type, {}, 0).empty());
  }
}

TEST_CASE("numbers of any bits, with scales in front, agree with plain formulas") {
  for (std::size_t at = static_cast<std::size_t>(ElementType::kAffine2); at < kElementTypes; ++at) {
    const auto type = static_cast<ElementType>(at);
    CAPTURE(kElementNames[at]);
    const ElementBlock block = block_of(type);
    const bool has_bias = type < ElementType::kScaledE2m1;
    constexpr std::size_t kBlocks = 67;
    std::vector<std::uint8_t> bytes(kBlocks * block.bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>((i + 7) * 2654435761U >> 11);
    for (std::size_t i = 0; i < kBlocks; ++i) {
      const float head[2] = {(i % 2 == 0 ? 0.0123F : -3.1F) * static_cast<float>(i), -1.7F / static_cast<float>(i + 1)};
      std::memcpy(bytes.data() + i * block.bytes, head, has_bias ? 8 : 4);
    }
    const std::vector<float> found = decoded(type, bytes, kBlocks * block.elements);
    std::size_t different = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const float expected = fuzz::plain_element(type, bytes.data() + i / 16 * block.bytes, i % 16);
      if (bits_of(found[i]) != bits_of(expected)) ++different;
    }
    CHECK(different == 0);
  }
}

TEST_CASE("lengths other than those of whole blocks are refused, and nothing is written") {
  for (const ElementType type : all_types()) {
    CAPTURE(static_cast<int>(type));
    const ElementBlock block = block_of(type);
    std::vector<float> out(2 * block.elements, 7.0F);
    for (const std::size_t size : {std::size_t{0}, block.bytes, 2 * block.bytes - 1, 2 * block.bytes + 1}) {
      CAPTURE(size);
      const std::vector<std::uint8_t> bytes(size);
      const Status status = decode_elements(out, type, bytes);
      REQUIRE_FALSE(status.ok());
      CHECK(status.error().code == ErrorCode::kShapeMismatch);
      CHECK(status.error().argument == "bytes.length");
    }
    if (block.elements > 1) {
      const Status status = decode_elements(std::span(out).first(block.elements + 1), type, {});
      REQUIRE_FALSE(status.ok());
      CHECK(status.error().argument == "elements");
    }
    CHECK(out == std::vector<float>(2 * block.elements, 7.0F));
  }
  const std::vector<std::uint8_t> bytes(35);
  std::vector<float> out(32);
  CHECK(decode_elements(out, ElementType::kQ80, bytes).error().message() ==
        "bytes.length is 35; expected 34 for each of 1 blocks of Q8_0");
}

}  // namespace
}  // namespace tied
