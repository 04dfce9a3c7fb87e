// Any rows of one table or two, decoded and added up: what is not finite is refused, and all else gives finite results
// within their bounds.
#include <algorithm>
#include <cmath>
#include <vector>

#include "checkpoint/decode.h"
#include "diagnostics/moment_readings.h"
#include "diagnostics/table_moments.h"
#include "input.h"

namespace tied::fuzz {
namespace {

constexpr std::size_t kMostCols = 24;

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

void read(const TableMoments& moments) {
  auto path = path_asymmetry(moments, false);
  if (path) {
    check(path.value().asymmetry >= 0 && path.value().asymmetry <= 1 + 1e-6, "an asymmetry is a share");
    check(std::isfinite(path.value().norm), "a norm is finite");
    if (moments.tied()) check(path.value().asymmetry == 0, "a tied table is symmetric");
  }
  TableGrams grams;
  for (const TableRole role : {TableRole::kInput, TableRole::kOutput}) {
    auto table = read_table(moments, grams, role);
    if (!table) continue;
    const auto& values = table.value().values;
    check(std::is_sorted(values.begin(), values.end(), std::greater<>()), "singular values descend");
  }
  if (!moments.tied()) (void)read_alignment(moments, grams, 1, 1);
}

void add(Input input) {
  const ElementType type = input.type();
  const ElementBlock block = block_of(type);
  const std::size_t cols = block.elements > 1 ? block.elements : 1 + input.byte() % kMostCols;
  const bool tied = input.byte() % 2 == 0;
  const std::size_t row_bytes = cols / block.elements * block.bytes;
  const std::size_t rows = std::min<std::size_t>(input.rest().size() / row_bytes / (tied ? 1 : 2), 300);
  if (rows == 0) return;
  std::vector<float> tables[2];
  for (std::size_t k = 0; k < (tied ? 1U : 2U); ++k) {
    tables[k].resize(rows * cols);
    const Bytes part = input.rest().subspan(k * rows * row_bytes, rows * row_bytes);
    check(decode_elements(tables[k], type, part).ok(), "whole rows are decoded");
  }
  auto made = TableMoments::create(cols, tied, nullptr);
  if (!made) fault("sums of a few columns fit in memory");
  TableMoments& moments = made.value();
  std::vector<float> readings(4 * rows);
  const ConstMatrixView<float> first(tables[0].data(), rows, cols);
  const ConstMatrixView<float> second = tied ? first : ConstMatrixView<float>(tables[1].data(), rows, cols);
  const bool ok = moments.add(first, second, {readings.data(), 4, rows}).ok();
  check(ok == (all_finite(tables[0]) && all_finite(tables[1])), "rows are added if all are finite");
  if (!ok) return;
  moments.flush();
  read(moments);
}

}  // namespace
}  // namespace tied::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tied::fuzz::add(tied::fuzz::Input({data, size}));
  return 0;
}
