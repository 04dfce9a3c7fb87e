#include <doctest/doctest.h>

#if defined(TIED_WRAPS_ALLOCATORS)

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../allocations.h"
#include "base/aligned_buffer.h"
#include "base/memory.h"

using namespace tied;

namespace {

constexpr std::size_t kManyBlocks = 200'000;

// While it lives, limits memory to the bytes held now, the spare and `more`.
class Limit {
 public:
  explicit Limit(std::size_t more) {
    test::allocations.limit_bytes = test::allocations.held_bytes + kSpareBytes + more;
  }
  ~Limit() { test::allocations.limit_bytes = ~std::size_t{0}; }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

  static std::size_t free_bytes() { return test::allocations.limit_bytes - test::allocations.held_bytes; }
};

// Number of blocks made until one is refused. All of them are held until then.
template <class Block, class Make>
std::size_t blocks_until_refused(const Make& make, std::size_t& free_bytes) {
  std::vector<Block> blocks;
  blocks.reserve(kManyBlocks);
  REQUIRE(has_memory(kUnprobedBytes + 1));
  const Limit limit(std::size_t{1} << 20);
  while (blocks.size() < kManyBlocks) {
    Block block;
    if (!make(block)) break;
    blocks.push_back(std::move(block));
  }
  free_bytes = Limit::free_bytes();
  return blocks.size();
}

}  // namespace

TEST_CASE("containers of any size are refused while most of the spare is still free") {
  for (const std::size_t size : {10u, 300u, 20'000u, 200'000u, 900'000u}) {
    std::size_t free_bytes = 0;
    const auto make = [&](std::vector<std::uint8_t>& bytes) { return try_reserve(bytes, size); };
    const std::size_t blocks = blocks_until_refused<std::vector<std::uint8_t>>(make, free_bytes);
    CHECK(blocks > 0);
    CHECK(blocks < kManyBlocks);
    // Blocks as small as 10 bytes take up to four times their size.
    CHECK(free_bytes >= kSpareBytes - 4 * kUnprobedBytes);
  }
}

TEST_CASE("aligned buffers of any size are refused while most of the spare is still free") {
  for (const std::size_t size : {16u, 300u, 20'000u, 200'000u}) {
    std::size_t free_bytes = 0;
    const auto make = [&](AlignedBuffer<float>& buffer) {
      auto created = AlignedBuffer<float>::create(size);
      if (created) buffer = std::move(created).value();
      return created.ok();
    };
    const std::size_t blocks = blocks_until_refused<AlignedBuffer<float>>(make, free_bytes);
    CHECK(blocks > 0);
    CHECK(blocks < kManyBlocks);
    CHECK(free_bytes >= kSpareBytes - 4 * kUnprobedBytes);
  }
}

TEST_CASE("after a refused block, small ones can still be allocated") {
  REQUIRE(has_memory(kUnprobedBytes + 1));
  const Limit limit(std::size_t{1} << 20);
  CHECK_FALSE(has_memory(std::size_t{2} << 20));
  CHECK_FALSE(has_memory(~std::uint64_t{0}));
  CHECK(has_memory(100));
  CHECK(has_memory(std::size_t{1} << 19));
}

TEST_CASE("small blocks are probed for once in many") {
  REQUIRE(has_memory(kUnprobedBytes + 1));
  const std::size_t before = test::allocations.count;
  // Ten times the bytes that are granted without a probe; each probe allocates two blocks.
  for (std::size_t bytes = 0; bytes < 10 * kUnprobedBytes; bytes += 256) REQUIRE(has_memory(256));
  CHECK(test::allocations.count > before);
  CHECK(test::allocations.count <= before + 20);
}

TEST_CASE("a container that cannot grow is unchanged") {
  std::vector<std::uint32_t> numbers{1, 2, 3};
  const std::size_t capacity = numbers.capacity();
  const Limit limit(0);
  CHECK_FALSE(try_reserve(numbers, kSpareBytes));
  CHECK(numbers == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(numbers.capacity() == capacity);
}

#endif
