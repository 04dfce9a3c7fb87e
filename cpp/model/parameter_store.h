// The values and gradients of a parameter table, one buffer each.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "linalg/matrix_view.h"
#include "model/config.h"
#include "model/parameter_table.h"

namespace tied {

// T = float or double (in the tests).
template <class T>
class ParameterStore {
 public:
  ParameterStore() = default;

  // Allocates the buffers of a table, zeroed. Errors: kOutOfMemory.
  Status allocate(ParameterTable table);

  const ParameterTable& table() const { return table_; }

  // See ParameterTable::set_joined.
  void set_joined(bool joined) { table_.set_joined(joined); }

  // If the parameter's tying can change, get the view again after each step.
  MatrixView<T> values(ParameterIndex index) { return values(table_.list()[index]); }
  ConstMatrixView<T> values(ParameterIndex index) const { return values(table_.list()[index]); }
  MatrixView<T> gradient(ParameterIndex index) { return gradient(table_.list()[index]); }
  MatrixView<T> values(const Parameter& parameter) {
    return {values_.data() + parameter.offset, rows_of(parameter), cols_of(parameter)};
  }
  ConstMatrixView<T> values(const Parameter& parameter) const {
    return {values_.data() + parameter.offset, rows_of(parameter), cols_of(parameter)};
  }
  MatrixView<T> gradient(const Parameter& parameter) {
    return {gradients_.data() + parameter.gradient_offset, rows_of(parameter), cols_of(parameter)};
  }
  ConstMatrixView<T> gradient(const Parameter& parameter) const {
    return {gradients_.data() + parameter.gradient_offset, rows_of(parameter), cols_of(parameter)};
  }

  AlignedBuffer<T>& all_values() { return values_; }
  const AlignedBuffer<T>& all_values() const { return values_; }
  AlignedBuffer<T>& all_gradients() { return gradients_; }
  const AlignedBuffer<T>& all_gradients() const { return gradients_; }

  // A copy of the values of this matrix in the order of pack_for_rows (linalg/matmul.h), null without one.
  const T* packed_values(ParameterIndex index) const {
    return packed_values_ == nullptr ? nullptr : packed_values_ + table_.list()[index].offset;
  }
  // Sets the copies of all matrices, at the offsets of their values. It is up to the caller to keep them up to date.
  void set_packed_values(const T* packed) { packed_values_ = packed; }

  // Sets the initial values of the table. Normal values come from the stream "parameter:<name>" of `seed`, so they
  // depend only on the seed and the parameter's own name and shape.
  void initialize(std::uint64_t seed);

  void zero_gradients();
  // Changes whenever gradients are set to 0, added or combined, so that whoever computed some knows whether
  // they are still there.
  std::uint32_t gradient_changes() const { return gradient_changes_; }

  // See Model::position_gradient_square.
  double position_square() const { return position_square_; }
  void add_position_square(double square) { position_square_ += square; }
  // To be called by whoever writes gradients that were computed elsewhere.
  void note_gradients(double position_square) {
    position_square_ = position_square;
    ++gradient_changes_;
  }

  // Gradients without the rows that are 0: of each name in the order of the table, the numbers of its touched rows; of
  // one that marks no rows, all. `touched`: one bit per row of each name that marks them, as in touched_rows().
  // Copies these numbers to `numbers`, or only counts them if that is null. Returns how many there are.
  std::size_t packed(const std::uint64_t* touched, T* numbers) const;
  // Where the same numbers are: of each run, its first in all_gradients() and how many.
  std::vector<std::uint32_t> packed_runs(const std::uint64_t* touched) const;
  // The same for values that a step changes, in all_values().
  std::vector<std::uint32_t> changed_runs() const;
  std::span<const std::uint64_t> touched_rows() const { return {touched_.data(), touched_.size()}; }
  // Makes rows touched, besides those that are.
  void touch_rows(const std::uint64_t* touched);

  // Whether backward passes leave out the gradients of the maps between the tables (linear_backward), for a caller that
  // reads those of the tables alone.
  bool tables_alone() const { return tables_alone_; }
  void set_tables_alone(bool alone) { tables_alone_ = alone; }

  // To be called before a gradient is added to row `row` of a parameter, or to that element of a vector. Changes
  // nothing unless the parameter marks rows.
  void touch(ParameterIndex index, std::size_t row) {
    const Parameter& parameter = table_.list()[index];
    if (!parameter.marks_rows) return;
    touched_[static_cast<std::size_t>(parameter.touched_offset) + row / 64] |= std::uint64_t{1} << row % 64;
  }

  // Consecutive elements of a parameter.
  struct Run {
    std::size_t first = 0;
    std::size_t size = 0;
  };
  // The next run of elements that a step changes, after `run`, which is {} at the start; false after the last one: of a
  // sparse parameter, those in rows that were touched since zero_gradients(). Any other is a single run. After
  // combine_gradients, the rows of an owner are those of all its names.
  bool next_touched(Run& run, const Parameter& parameter) const;

  // Combines the gradients by role into the gradient of each owner of storage:
  //   owner = input_scale * input + output_scale * output
  // The first scale applies to parameters that read tokens, the second to those of role kOutput; the sum is over all
  // names that share the storage, in the order of the table. Gradients of tied names remain, scaled.
  void combine_gradients(double input_scale, double output_scale);

 private:
  static std::size_t rows_of(const Parameter& parameter) { return static_cast<std::size_t>(parameter.rows); }
  static std::size_t cols_of(const Parameter& parameter) { return static_cast<std::size_t>(parameter.cols); }

  ParameterTable table_;
  AlignedBuffer<T> values_;
  AlignedBuffer<T> gradients_;
  AlignedBuffer<std::uint64_t> touched_;
  const T* packed_values_ = nullptr;
  double position_square_ = 0;
  std::uint32_t gradient_changes_ = 0;
  bool tables_alone_ = false;
};

}  // namespace tied
