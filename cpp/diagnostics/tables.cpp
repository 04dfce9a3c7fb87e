#include "diagnostics/tables.h"

#include <algorithm>
#include <utility>

#include "linalg/checks.h"
#include "linalg/reduce.h"

namespace tied {

Status check_table(std::string_view name, ConstMatrixView<float> table) {
  if (table.rows == 0) return rows_error(name, table.rows, "at least 1 row");
  if (table.cols == 0) return cols_error(name, table.cols, "at least 1 column");
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < table.rows; ++i) {
    if (all_finite(table.row(i), table.cols)) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return {};
  const std::size_t col = first_not_finite(table.row(first), table.cols);
  const std::string expected =
      joined({"finite numbers; ", text_of(count), " of ", text_of(table.rows), " rows have others"});
  return entry_error(ErrorCode::kNotFinite, name, first, col, static_cast<double>(table(first, col)), expected);
}

Status check_some_rows(std::string_view name, ConstMatrixView<float> table) {
  if (Status status = check_table(name, table); !status) return status;
  auto rows = nonzero_rows({table});
  if (!rows) return rows.failure();
  if (rows.value().size() > 0) return {};
  return make_error(ErrorCode::kInvalidArgument, name, "all zeros", "at least one row that is not zero");
}

Result<AlignedBuffer<std::uint32_t>> nonzero_rows(std::initializer_list<ConstMatrixView<float>> tables) {
  const std::size_t rows = tables.begin()->rows;
  const auto is_zero = [&tables](std::size_t i) {
    return std::any_of(tables.begin(), tables.end(), [i](const ConstMatrixView<float>& table) {
      return std::all_of(table.row(i), table.row(i) + table.cols, [](float x) { return x == 0; });
    });
  };
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows; ++i) count += is_zero(i) ? 0 : 1;
  auto made = AlignedBuffer<std::uint32_t>::create(count);
  if (!made) return made;
  std::uint32_t* next = made.value().data();
  for (std::size_t i = 0; i < rows; ++i) {
    if (!is_zero(i)) *next++ = static_cast<std::uint32_t>(i);
  }
  return made;
}

Status check_rows_differ(std::string_view name, ConstMatrixView<float> table, std::span<const std::uint32_t> rows) {
  const float* first = table.row(rows.front());
  for (const std::uint32_t i : rows) {
    if (!std::equal(first, first + table.cols, table.row(i))) return {};
  }
  return make_error(ErrorCode::kInvalidArgument, name, "the same in all rows", "rows that differ");
}

void shuffle(std::span<std::uint32_t> ids, Random& random) {
  for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random.below(static_cast<std::uint32_t>(i))]);
}

// A heap, because std::sort is three times the code.
void sort_ids(std::span<std::uint32_t> ids, const double* values) {
  const auto before = [values](std::uint32_t a, std::uint32_t b) {
    return values == nullptr ? a < b : values[a] < values[b];
  };
  std::make_heap(ids.begin(), ids.end(), before);
  std::sort_heap(ids.begin(), ids.end(), before);
}

void column_means(double* means, ConstMatrixView<float> table, std::span<const std::uint32_t> rows) {
  std::fill_n(means, table.cols, 0.0);
  for (const std::uint32_t i : rows) {
    const float* row = table.row(i);
    for (std::size_t j = 0; j < table.cols; ++j) means[j] += static_cast<double>(row[j]);
  }
  for (std::size_t j = 0; j < table.cols; ++j) means[j] /= static_cast<double>(rows.size());
}

template <class T>
void gather_rows(const MatrixView<T>& block, ConstMatrixView<float> table, std::span<const std::uint32_t> rows,
                 const double* means) {
  TIED_ASSERT(block.rows == rows.size() && block.cols == table.cols);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float* from = table.row(rows[i]);
    T* to = block.row(i);
    for (std::size_t j = 0; j < table.cols; ++j) {
      const double mean = means == nullptr ? 0 : means[j];
      to[j] = static_cast<T>(static_cast<double>(from[j]) - mean);
    }
  }
}

template void gather_rows(const MatrixView<float>&, ConstMatrixView<float>, std::span<const std::uint32_t>,
                          const double*);
template void gather_rows(const MatrixView<double>&, ConstMatrixView<float>, std::span<const std::uint32_t>,
                          const double*);

}  // namespace tied
