#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/aligned_buffer.h"
#include "base/error.h"

using namespace tied;

TEST_CASE("numbers are written as JavaScript writes them, with six significant digits") {
  CHECK(text_of(0.0) == "0");
  CHECK(text_of(-0.0) == "0");
  CHECK(text_of(1.0) == "1");
  CHECK(text_of(-2.5) == "-2.5");
  CHECK(text_of(0.1) == "0.1");
  CHECK(text_of(3.14159265) == "3.14159");
  CHECK(text_of(65.0) == "65");
  CHECK(text_of(100000.0) == "100000");
  CHECK(text_of(1000000.0) == "1000000");
  CHECK(text_of(123456789.0) == "123457000");
  CHECK(text_of(9.999999) == "10");
  CHECK(text_of(0.9999999) == "1");
  CHECK(text_of(0.000001) == "0.000001");
  CHECK(text_of(0.0000001) == "1e-7");
  CHECK(text_of(1e20) == "100000000000000000000");
  CHECK(text_of(1e21) == "1e+21");
  CHECK(text_of(-1.5e300) == "-1.5e+300");
  CHECK(text_of(1e-300) == "1e-300");
  CHECK(text_of(5e-324) == "4.94066e-324");
  CHECK(text_of(std::numeric_limits<double>::max()) == "1.79769e+308");
  CHECK(text_of(std::nan("")) == "NaN");
  CHECK(text_of(std::numeric_limits<double>::infinity()) == "Infinity");
  CHECK(text_of(-std::numeric_limits<double>::infinity()) == "-Infinity");
}

TEST_CASE("integers are written in full, including the extremes") {
  CHECK(text_of(0) == "0");
  CHECK(text_of(-1) == "-1");
  CHECK(text_of(50257u) == "50257");
  CHECK(text_of(std::numeric_limits<long long>::min()) == "-9223372036854775808");
  CHECK(text_of(std::numeric_limits<unsigned long long>::max()) == "18446744073709551615");
}

TEST_CASE("an error names argument, value and expectation") {
  const Status failed = make_error(ErrorCode::kInvalidArgument, "dModel", -3, "an integer of at least 1");
  const Error& error = failed.error();
  CHECK(error.message() == "dModel is -3; expected an integer of at least 1");
  CHECK(code_name(error.code) == "invalid-argument");
}

TEST_CASE("every code has the name that JavaScript sees") {
  CHECK(code_name(ErrorCode::kShapeMismatch) == "shape-mismatch");
  CHECK(code_name(ErrorCode::kOutOfMemory) == "out-of-memory");
  CHECK(code_name(ErrorCode::kNotFinite) == "not-finite");
  CHECK(code_name(ErrorCode::kBadFile) == "bad-file");
  CHECK(code_name(ErrorCode::kCancelled) == "cancelled");
  CHECK(code_name(ErrorCode::kDisposed) == "disposed");
  CHECK(code_name(ErrorCode::kUnsupported) == "unsupported");
}

TEST_CASE("a result is a value or an error") {
  Result<int> value = 7;
  CHECK(value.ok());
  CHECK(value.value() == 7);
  Result<int> failed = make_error(ErrorCode::kBadFile, "bytes", "short", "more");
  CHECK_FALSE(failed.ok());
  CHECK(failed.error().code == ErrorCode::kBadFile);
  CHECK(Status().ok());
}

TEST_CASE("a failure moves from status to result to status, and is copied only on request") {
  Status status = make_error(ErrorCode::kBadFile, "bytes", "short", "more");
  const Error* error = &status.error();
  Result<std::string> result = std::move(status);
  CHECK(&result.error() == error);
  const Status copy = result.error();
  CHECK(copy.error().message() == error->message());
  CHECK(&copy.error() != error);
  Status last = result.failure();
  CHECK(&last.error() == error);
  last = Status();
  CHECK(last.ok());
}

TEST_CASE("a buffer is aligned, zeroed, and moves without copying") {
  for (const std::size_t size : {1, 3, 16, 17, 1000}) {
    auto made = AlignedBuffer<float>::create(size);
    REQUIRE(made.ok());
    AlignedBuffer<float> buffer = std::move(made).value();
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % kAlignmentBytes == 0);
    CHECK(buffer.size() == size);
    CHECK(buffer.size_bytes() == size * sizeof(float));
    bool all_zero = true;
    for (const float value : buffer) all_zero = all_zero && value == 0;
    CHECK(all_zero);
    const float* address = buffer.data();
    AlignedBuffer<float> moved = std::move(buffer);
    CHECK(moved.data() == address);
    moved.fill(2);
    auto copy = moved.clone();
    REQUIRE(copy.ok());
    CHECK(copy.value().data() != address);
    CHECK(copy.value()[size - 1] == 2);
  }
}

TEST_CASE("an empty buffer allocates nothing") {
  auto buffer = AlignedBuffer<double>::create(0);
  REQUIRE(buffer.ok());
  CHECK(buffer.value().data() == nullptr);
  CHECK(buffer.value().size() == 0);
}

TEST_CASE("a buffer beyond memory is an error with a value, not a crash") {
  // The byte count overflows in the first and is merely absurd in the second.
  for (const std::size_t size :
       {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max() / 5}) {
    const auto buffer = AlignedBuffer<float>::create(size);
    REQUIRE_FALSE(buffer.ok());
    CHECK(buffer.error().code == ErrorCode::kOutOfMemory);
    CHECK(buffer.error().value == text_of(size) + " elements long");
  }
}
