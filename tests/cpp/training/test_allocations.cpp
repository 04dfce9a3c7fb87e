// A training step allocates nothing, and a trainer takes what the estimate says: counted by replacing operator new and,
// where the linker can (see CMakeLists.txt), the C library's allocators.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include "support.h"

namespace {

std::size_t allocations = 0;
std::size_t aligned_bytes = 0;

}  // namespace

// The names are the linker's.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
void* __wrap_malloc(std::size_t size) {
  ++allocations;
  return __real_malloc(size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  aligned_bytes += size;
  return __real_aligned_alloc(alignment, size);
}
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

void* operator new(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace tied;

TEST_CASE("a training step allocates nothing, snapshots and records included") {
  const auto ids = test::stream(2'000, 13, 1);
  for (const Tying tying : test::kTyings) {
    for (const bool table : {false, true}) {
      const auto trainer =
          table ? test::trainer_on(test::small_model(tying), test::small_training(), test::counts_of(ids, 13))
                : test::trainer_on(test::small_model(tying), test::small_training(), ids);
      const std::size_t before = allocations;
      bool ok = true;
      StepRecord record;
      for (int i = 0; i < 100; ++i) ok = trainer->step(&record).ok() && trainer->step().ok() && ok;
      const std::size_t after = allocations;
      CHECK(ok);
      CHECK(after == before);
    }
  }
  // The counter counts.
  const std::size_t before = allocations;
  // Volatile, or the compiler would leave both out.
  void* volatile memory = ::operator new(1'000);
  auto block = AlignedBuffer<float>::create(1'000);
  REQUIRE(block.ok());
  float* volatile numbers = block.value().data();
  const bool taken = memory != nullptr && numbers != nullptr;
  CHECK(taken);
  CHECK(allocations >= before + 2);
  ::operator delete(memory);
}

TEST_CASE("a trainer takes the memory that was estimated") {
  const auto ids = test::stream(2'000, 13, 1);
  const Matrix<float> counts = test::counts_of(ids, 13);
  for (const Tying tying : test::kTyings) {
    for (const OptimizerKind optimizer : {OptimizerKind::kAdamW, OptimizerKind::kSgd}) {
      for (const bool table : {false, true}) {
        auto data = table ? training_data_from_counts<float>(counts.view())
                          : training_data_from_tokens<float>(ids.data(), ids.size(), nullptr, 0, 13);
        REQUIRE(data.ok());
        TrainingConfig training = test::small_training(optimizer);
        if (table) training.batch_size = 0;
        const std::uint64_t data_bytes = data.value().bytes();
        const auto estimate = estimate_memory(test::small_model(tying), training, {}, data_bytes);
        REQUIRE(estimate.ok());
        const std::size_t before = aligned_bytes;
        const auto trainer = Trainer<float>::create(test::small_model(tying), training, std::move(data).value());
        REQUIRE(trainer.ok());
        const auto taken = static_cast<double>(aligned_bytes - before);
        const auto expected = static_cast<double>(estimate.value().bytes - data_bytes);
        // The two blocks of a batch are rounded up to a whole number of cache lines; all others are that already.
        CHECK(taken >= expected);
        CHECK(taken <= expected + 2 * 64);
      }
    }
  }
}
