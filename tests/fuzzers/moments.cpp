// Any rows of one table or two, decoded and added up: non-finite values are refused, everything else gives finite
// results within their bounds, and two programs that share the products get the same bits as one program.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
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

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

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

// The two tables of an input; if it is tied, both are the same.
struct Rows {
  ConstMatrixView<float> input;
  ConstMatrixView<float> output;
};

// Adds all rows, at most `at_once` per call; false if they are refused.
bool add_rows(TableMoments& moments, const Rows& rows, std::size_t at_once) {
  const std::size_t cols = rows.input.cols;
  std::vector<float> readings(5 * at_once);
  for (std::size_t from = 0; from < rows.input.rows; from += at_once) {
    const std::size_t count = std::min(at_once, rows.input.rows - from);
    const ConstMatrixView<float> first(rows.input.row(from), count, cols);
    const ConstMatrixView<float> second(rows.output.row(from), count, cols);
    if (!moments.add(first, second, {readings.data(), 5, count}).ok()) return false;
  }
  moments.flush();
  return true;
}

TableMoments create(std::size_t cols, bool tied, FixedBits bits, const PanelShare& share) {
  auto made = TableMoments::create(cols, tied, bits, nullptr, share);
  if (!made) fault("sums of a few columns fit in memory");
  return std::move(made).value();
}

// `whole` belongs to one program; `split` says how two others share its products, and how many rows they get at a
// time.
void compare_shares(const TableMoments& whole, const Rows& rows, FixedBits bits, std::uint8_t split) {
  const std::size_t cols = whole.width();
  const std::size_t of = 1 + split % 16;
  const std::size_t cut = split / 16 % (of + 1);
  TableMoments own = create(cols, whole.tied(), bits, {0, cut, of});
  TableMoments other = create(cols, whole.tied(), bits, {cut, of, of});
  check(add_rows(own, rows, 1 + split) && add_rows(other, rows, rows.input.rows), "shares accept the same rows");
  for (const MomentProduct which : {MomentProduct::kGram, MomentProduct::kDifferenceGram, MomentProduct::kCross}) {
    if (whole.tied() && which != MomentProduct::kGram) continue;
    own.join(which, other.product(which).data);
    const ConstMatrixView<double> expected = whole.product(which);
    check(std::equal(expected.data, expected.data + cols * cols, own.product(which).data, same_bits),
          "shares have together the bits of one program alone");
  }
  for (const TableRole role : {TableRole::kInput, TableRole::kOutput}) {
    const RowSums& expected = whole.sums(role);
    for (const TableMoments* moments : {&own, &other}) {
      const RowSums& found = moments->sums(role);
      check(found.nonzero == expected.nonzero, "both shares count rows");
      check(std::equal(expected.rows.data(), expected.rows.data() + cols, found.rows.data(), same_bits) &&
                std::equal(expected.directions.data(), expected.directions.data() + cols, found.directions.data(),
                           same_bits),
            "both shares have the sums over all rows");
    }
  }
}

void add(Input input) {
  const ElementType type = input.type();
  const ElementBlock block = block_of(type);
  const std::size_t cols = block.elements > 1 ? block.elements : 1 + input.byte() % kMostCols;
  const std::uint8_t kind = input.byte();
  const bool tied = kind % 2 == 0;
  // For any elements: wide ones in few bits have larger errors but the same bounds.
  const FixedBits bits = kind / 2 % 2 == 0 ? FixedBits::k24 : FixedBits::k16;
  const std::uint8_t split = input.byte();
  const std::size_t row_bytes = cols / block.elements * block.bytes;
  const std::size_t rows = std::min<std::size_t>(input.rest().size() / row_bytes / (tied ? 1 : 2), 300);
  if (rows == 0) return;
  std::vector<float> tables[2];
  for (std::size_t k = 0; k < (tied ? 1U : 2U); ++k) {
    tables[k].resize(rows * cols);
    const Bytes part = input.rest().subspan(k * rows * row_bytes, rows * row_bytes);
    check(decode_elements(tables[k], type, part).ok(), "whole rows are decoded");
  }
  const ConstMatrixView<float> first(tables[0].data(), rows, cols);
  const Rows both = {first, tied ? first : ConstMatrixView<float>(tables[1].data(), rows, cols)};
  TableMoments moments = create(cols, tied, bits, {});
  const bool ok = add_rows(moments, both, rows);
  check(ok == (all_finite(tables[0]) && all_finite(tables[1])), "rows are added if all are finite");
  if (!ok) return;
  compare_shares(moments, both, bits, split);
  read(moments);
}

}  // namespace
}  // namespace tied::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tied::fuzz::add(tied::fuzz::Input({data, size}));
  return 0;
}
