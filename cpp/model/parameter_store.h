// The numbers behind a parameter table: values and gradients, one block each.
#pragma once

#include <cstdint>
#include <cstring>

#include "linalg/matrix_view.h"
#include "model/parameter_table.h"

namespace tied {

// T = float or double (the tests' twin).
template <class T>
class ParameterStore {
 public:
  ParameterStore() = default;

  // Takes the memory of a table, all zero. Errors: kOutOfMemory.
  Status allocate(ParameterTable table);

  const ParameterTable& table() const { return table_; }

  // See ParameterTable::set_joined.
  void set_joined(bool joined) { table_.set_joined(joined); }

  // Of a joined parameter: those that it shares now. Ask anew after a step.
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

  // Start values as the table says. Normal draws come from the stream "parameter:<name>" of `seed`, so that one
  // parameter's start depends on the seed and its own name and shape alone, whatever else the model has.
  void initialize(std::uint64_t seed);

  void zero_gradients() { std::memset(gradients_.data(), 0, gradients_.size_bytes()); }

  // Turns the gradients by role into the gradients of storage:  owner = input_gradient_scale * input + output,
  // the scale for parameters of role kInput, the sum over all names that share the owner's storage.
  // Gradients of tied names keep their part.
  void combine_gradients(double input_gradient_scale);

 private:
  static std::size_t rows_of(const Parameter& parameter) { return static_cast<std::size_t>(parameter.rows); }
  static std::size_t cols_of(const Parameter& parameter) { return static_cast<std::size_t>(parameter.cols); }

  ParameterTable table_;
  AlignedBuffer<T> values_;
  AlignedBuffer<T> gradients_;
};

}  // namespace tied
