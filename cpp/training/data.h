// What a trainer learns from: a stream of tokens, or the table of all its bigrams.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"
#include "model/model.h"
#include "training/memory_estimate.h"

namespace tied {

// The rows of a joint distribution that are not all zero.
template <class T>
struct JointTable {
  AlignedBuffer<std::uint32_t> rows;  // ids of current tokens, ascending
  Matrix<T> joint;                    // [rows.size(), vocab_size]; sums to 1
  std::uint64_t n_pairs = 0;          // of the counts that it was made from

  JointBatch<T> batch() const { return {rows.data(), joint.view()}; }
};

// Either tokens or a table, or nothing at all: a model that is only looked at. Tokens are u32; validation tokens may be
// none.
template <class T>
struct TrainingData {
  std::uint64_t vocab_size = 0;
  AlignedBuffer<std::uint32_t> token_ids;
  AlignedBuffer<std::uint32_t> validation_token_ids;
  JointTable<T> table;

  bool has_table() const { return table.rows.size() != 0; }
  DataKind kind() const {
    if (has_table()) return DataKind::kTable;
    return token_ids.size() != 0 ? DataKind::kTokens : DataKind::kNone;
  }
  DataSize size() const { return {kind(), bytes(), table.rows.size()}; }
  std::uint64_t bytes() const {
    return (token_ids.size() + validation_token_ids.size() + table.rows.size()) * sizeof(std::uint32_t) +
           static_cast<std::uint64_t>(table.joint.rows()) * table.joint.cols() * sizeof(T);
  }
};

// Copies. Errors: kInvalidArgument for a stream of fewer than two tokens (validation: none, or two at least), or naming
// the first id that is not below vocab_size; kOutOfMemory.
template <class T>
Result<TrainingData<T>> training_data_from_tokens(const std::uint32_t* token_ids, std::size_t n_token_ids,
                                                  const std::uint32_t* validation_token_ids,
                                                  std::size_t n_validation_token_ids, std::uint64_t vocab_size);

// counts [V, V]: how often token j follows token i. joint = counts / total, rounded once from double.
// Errors: kShapeMismatch where it is not square; kInvalidArgument naming the entry that is negative or no whole number,
// or a table without any count; kNotFinite naming the entry that is NaN or infinite; kOutOfMemory.
template <class T>
Result<TrainingData<T>> training_data_from_counts(ConstMatrixView<float> counts);

}  // namespace tied
