#include "checkpoints.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "checkpoint/decode.h"
#include "diagnostics/table_moments.h"
#include "linalg/blocks.h"
#include "linalg/matmul.h"
#include "memory.h"
#include "or_exit.h"

namespace tied::bench {
namespace {

// Elements that web/core/checkpoint decodes at a time.
constexpr std::size_t kElements = 1 << 18;
// Rows that are multiplied at a time, as in cpp/diagnostics.
constexpr std::size_t kRows = 256;
// Tokens of an identity card's sample, whose products with all rows it needs: e u, u e and e e of two tables.
constexpr std::size_t kSampled = 64;

using Bytes = std::vector<std::uint8_t>;

// Where blocks have the upper bytes of the halves that scale them.
std::vector<std::size_t> scale_bytes(ElementType type) {
  const std::size_t end = block_of(type).bytes;
  switch (type) {
    case ElementType::kQ41:
    case ElementType::kQ51:
    case ElementType::kQ4K:
    case ElementType::kQ5K:
      return {1, 3};
    case ElementType::kQ2K:
      return {end - 3, end - 1};
    case ElementType::kQ6K:
    case ElementType::kQ3K:
    case ElementType::kTQ10:
    case ElementType::kTQ20:
    case ElementType::kIQ1M:  // its last four bits
      return {end - 1};
    case ElementType::kMXFP4:
    case ElementType::kNVFP4:
      return {};
    default:
      return {1};
  }
}

// Gives a block scales as those of a model: random bytes would be one of 16 times no normal number.
void make_ordinary(std::uint8_t* block, ElementType type, Random& random) {
  if (type < ElementType::kAffine2) {
    for (const std::size_t at : scale_bytes(type)) block[at] = static_cast<std::uint8_t>((block[at] & 0x83) | 0x20);
    return;
  }
  const std::size_t scales = type < ElementType::kScaledE2m1 ? 2 : 1;
  for (std::size_t i = 0; i < scales; ++i) {
    const auto scale = static_cast<float>(0.02 * random.normal());
    std::memcpy(block + 4 * i, &scale, sizeof scale);
  }
}

// Stored elements that look like those of a model: narrow floats of ordinary size, blocks with ordinary scales.
std::shared_ptr<Bytes> stored_elements(ElementType type, std::size_t elements) {
  const ElementBlock block = block_of(type);
  auto made = std::make_shared<Bytes>(elements / block.elements * block.bytes);
  Random random(1, stream_of("stored"));
  for (std::uint8_t& byte : *made) byte = static_cast<std::uint8_t>(random.bits());
  if (block.elements > 1) {
    for (std::size_t at = 0; at < made->size(); at += block.bytes) make_ordinary(made->data() + at, type, random);
    return made;
  }
  for (std::size_t i = 0; i < elements; ++i) {
    const auto value = static_cast<float>(0.02 * random.normal());
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    std::uint8_t* to = made->data() + i * block.bytes;
    if (type == ElementType::kF32) std::memcpy(to, &bits, 4);
    if (type == ElementType::kBf16) std::memcpy(to, reinterpret_cast<const std::uint8_t*>(&bits) + 2, 2);
    if (type == ElementType::kF16) {
      // Truncated rather than rounded; a value below the smallest normal one becomes subnormal.
      const std::uint32_t magnitude = bits & 0x7FFFFFFF;
      const bool normal = magnitude >= (113U << 23);
      const std::uint32_t half = normal ? (magnitude - (112U << 23)) >> 13 : magnitude >> 13 & 0x3FF;
      const auto stored = static_cast<std::uint16_t>(half | (bits >> 16 & 0x8000));
      std::memcpy(to, &stored, 2);
    }
  }
  return made;
}

Case decoding(const char* name, ElementType type) {
  Case result;
  result.id = std::string("checkpoint/decode/") + name;
  result.items = kElements;
  result.items_name = "elements";
  result.prepare = [type]() -> std::function<void()> {
    const auto stored = stored_elements(type, kElements);
    const auto out = std::make_shared<std::vector<float>>(kElements);
    return [stored, out, type] { exit_unless(decode_elements(*out, type, *stored)); };
  };
  return result;
}

Case copying() {
  Case result;
  result.id = "checkpoint/copy";
  result.items = kElements;
  result.items_name = "elements";
  result.prepare = []() -> std::function<void()> {
    const auto from = std::make_shared<std::vector<float>>(kElements, 1.0F);
    const auto to = std::make_shared<std::vector<float>>(kElements);
    return [from, to] {
      // Visible from outside after each call, so no copy is optimized away.
      std::memcpy(to->data(), from->data(), kElements * sizeof(float));
      asm volatile("" : : "r"(to->data()) : "memory");
    };
  };
  return result;
}

struct Size {
  bool tied;
  std::size_t rows;
  std::size_t cols;

  std::string name() const {
    return std::string(tied ? "tied/" : "untied/") + std::to_string(rows) + "x" + std::to_string(cols);
  }
  // Only half of a Gram matrix is computed; untied tables have two of them, and the product of both tables.
  double operations() const {
    return (tied ? 1.0 : 4.0) * static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(cols);
  }
};

// Only the pass over the rows: reading the results from the sums takes the same time for any number of rows.
void add_all(const Size& size, ElementType type, const Bytes& input, const Bytes& output) {
  const bool is_narrow = block_of(type).bytes <= 2 * block_of(type).elements;
  const FixedBits bits = is_narrow ? FixedBits::k16 : FixedBits::k24;
  auto moments = value_or_exit(TableMoments::create(size.cols, size.tied, bits, nullptr));
  const std::size_t most = kElements / size.cols;
  const std::size_t row_bytes = size.cols * block_of(type).bytes;
  std::vector<float> e(most * size.cols);
  std::vector<float> u(size.tied ? 0 : most * size.cols);
  std::vector<float> readings(5 * most);
  for (std::size_t i = 0; i < size.rows; i += most) {
    const std::size_t count = std::min(most, size.rows - i);
    const auto decode = [&](std::vector<float>& to, const Bytes& from) {
      exit_unless(
          decode_elements({to.data(), count * size.cols}, type, {from.data() + i * row_bytes, count * row_bytes}));
      return ConstMatrixView<float>(to.data(), count, size.cols);
    };
    const auto rows = decode(e, input);
    exit_unless(moments.add(rows, size.tied ? rows : decode(u, output), {readings.data(), 5, count}));
  }
  moments.flush();
}

Case moments_of(const Size& size, ElementType type) {
  Case result;
  result.id = "checkpoint/moments/" + size.name();
  result.operations = size.operations();
  result.keep = false;
  result.prepare = [size, type]() -> std::function<void()> {
    const auto input = stored_elements(type, size.rows * size.cols);
    const auto output = stored_elements(type, size.tied ? 0 : size.rows * size.cols);
    return [=] { add_all(size, type, *input, *output); };
  };
  return result;
}

Case memory_of_moments(const Size& size, ElementType type) {
  Case result = moments_of(size, type);
  result.id = "memory/moments/" + size.name();
  result.operations = 0;
  result.fresh = true;
  result.facts = [size, type] {
    const double tables = static_cast<double>((size.tied ? 1 : 2) * size.rows * size.cols * block_of(type).bytes);
    return std::vector<Fact>{{"megabytes beside the tables", (most_bytes_held() - tables) * 1e-6}};
  };
  return result;
}

// Uses the same block repeatedly, so only products are measured; includes those of `sampled` tokens with all rows.
template <class T>
Case products_of(const char* kind, const Size& size, std::size_t sampled = 0) {
  Case result;
  result.id = std::string(sampled == 0 ? "checkpoint/" : "card/") + kind + "/" + size.name();
  const std::size_t scores = (size.tied ? 1 : 3) * sampled;
  result.operations =
      size.operations() + 2.0 * static_cast<double>(scores * size.cols) * static_cast<double>(size.rows);
  result.keep = false;
  result.prepare = [size, scores]() -> std::function<void()> {
    const auto block = std::make_shared<Matrix<T>>(value_or_exit(Matrix<T>::create(kRows, size.cols)));
    Random random(1, stream_of("block"));
    for (std::size_t i = 0; i < kRows * size.cols; ++i) block->data()[i] = static_cast<T>(random.uniform()) - T(0.5);
    const auto out = std::make_shared<Matrix<T>>(value_or_exit(Matrix<T>::create(size.cols, size.cols)));
    const auto found = std::make_shared<Matrix<T>>(value_or_exit(Matrix<T>::create(kRows, kRows)));
    return [=] {
      for (std::size_t i = 0; i < size.rows; i += kRows) {
        const MatrixView<T> rows = block->view().row_block(0, std::min(kRows, size.rows - i));
        if (scores > 0) {
          const MatrixView<T> scored(found->data(), scores, rows.rows);
          matmul_nt<T>(scored, block->view().row_block(0, scores), rows);
        }
        gram_lower(out->view(), rows, Accumulate::kAdd);
        if (size.tied) continue;
        gram_lower(out->view(), rows, Accumulate::kAdd);
        matmul_tn<T>(out->view(), rows, rows, Accumulate::kAdd);
      }
    };
  };
  return result;
}

}  // namespace

void add_checkpoints(std::vector<Case>& cases) {
  cases.push_back(copying());
  cases.push_back(decoding("F64", ElementType::kF64));
  cases.push_back(decoding("F16", ElementType::kF16));
  cases.push_back(decoding("BF16", ElementType::kBf16));
  cases.push_back(decoding("F8_E4M3", ElementType::kF8E4m3));
  cases.push_back(decoding("F8_E5M2", ElementType::kF8E5m2));
  cases.push_back(decoding("F8_E4M3FNUZ", ElementType::kF8E4m3Fnuz));
  cases.push_back(decoding("F8_E5M2FNUZ", ElementType::kF8E5m2Fnuz));
  cases.push_back(decoding("Q8_0", ElementType::kQ80));
  cases.push_back(decoding("Q6_K", ElementType::kQ6K));
  cases.push_back(decoding("Q5_K", ElementType::kQ5K));
  cases.push_back(decoding("Q4_K", ElementType::kQ4K));
  cases.push_back(decoding("Q4_0", ElementType::kQ40));
  cases.push_back(decoding("Q4_1", ElementType::kQ41));
  cases.push_back(decoding("Q5_0", ElementType::kQ50));
  cases.push_back(decoding("Q5_1", ElementType::kQ51));
  cases.push_back(decoding("Q2_K", ElementType::kQ2K));
  cases.push_back(decoding("Q3_K", ElementType::kQ3K));
  cases.push_back(decoding("IQ4_NL", ElementType::kIQ4NL));
  cases.push_back(decoding("IQ4_XS", ElementType::kIQ4XS));
  cases.push_back(decoding("MXFP4", ElementType::kMXFP4));
  cases.push_back(decoding("NVFP4", ElementType::kNVFP4));
  cases.push_back(decoding("TQ1_0", ElementType::kTQ10));
  cases.push_back(decoding("TQ2_0", ElementType::kTQ20));
  cases.push_back(decoding("Q1_0", ElementType::kQ10));
  cases.push_back(decoding("Q2_0", ElementType::kQ20));
  cases.push_back(decoding("IQ2_XXS", ElementType::kIQ2XXS));
  cases.push_back(decoding("IQ2_XS", ElementType::kIQ2XS));
  cases.push_back(decoding("IQ2_S", ElementType::kIQ2S));
  cases.push_back(decoding("IQ3_XXS", ElementType::kIQ3XXS));
  cases.push_back(decoding("IQ3_S", ElementType::kIQ3S));
  cases.push_back(decoding("IQ1_S", ElementType::kIQ1S));
  cases.push_back(decoding("IQ1_M", ElementType::kIQ1M));
  cases.push_back(decoding("affine_2", ElementType::kAffine2));
  cases.push_back(decoding("affine_3", ElementType::kAffine3));
  cases.push_back(decoding("affine_4", ElementType::kAffine4));
  cases.push_back(decoding("affine_5", ElementType::kAffine5));
  cases.push_back(decoding("affine_6", ElementType::kAffine6));
  cases.push_back(decoding("affine_8", ElementType::kAffine8));
  cases.push_back(decoding("scaled_E2M1", ElementType::kScaledE2m1));
  cases.push_back(decoding("scaled_E4M3", ElementType::kScaledE4m3));
  const Size tied{true, 151936, 896};
  const Size untied{false, 50257, 768};
  cases.push_back(moments_of(tied, ElementType::kBf16));
  cases.push_back(products_of<double>("products", tied));
  cases.push_back(products_of<float>("products-in-float", tied));
  cases.push_back(moments_of(untied, ElementType::kF16));
  cases.push_back(products_of<double>("products", untied));
  cases.push_back(products_of<float>("products-in-float", untied));
  cases.push_back(products_of<float>("products-in-float", tied, kSampled));
  cases.push_back(products_of<float>("products-in-float", untied, kSampled));
  cases.push_back(memory_of_moments(tied, ElementType::kBf16));
}

}  // namespace tied::bench
