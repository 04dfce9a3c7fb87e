// Training data: a stream of tokens, the table of all its bigrams, or pairs.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"
#include "model/model.h"
#include "training/memory_estimate.h"
#include "training/pairs.h"

namespace tied {

// The non-zero rows of a joint distribution.
template <class T>
struct JointTable {
  AlignedBuffer<std::uint32_t> rows;  // ids of current tokens, ascending
  Matrix<T> joint;                    // [rows.size(), vocab_size]; sums to 1
  std::uint64_t n_pairs = 0;          // total of the counts

  JointBatch<T> batch() const { return {rows.data(), joint.view()}; }
};

// Tokens, a table, pairs, or nothing for a model that is not trained. Tokens are u32; there may be no validation tokens
// or pairs.
template <class T>
struct TrainingData {
  std::uint64_t vocab_size = 0;
  AlignedBuffer<std::uint32_t> token_ids;
  AlignedBuffer<std::uint32_t> validation_token_ids;
  // The tokens that a culled head keeps, ascending, if the caller chose them. Empty: the most frequent ones.
  AlignedBuffer<std::uint32_t> kept_token_ids;
  JointTable<T> table;
  Pairs pairs;
  Pairs validation_pairs;

  bool has_table() const { return table.rows.size() != 0; }
  DataKind kind() const {
    if (has_table()) return DataKind::kTable;
    if (pairs.size() != 0) return DataKind::kPairs;
    return token_ids.size() != 0 ? DataKind::kTokens : DataKind::kNone;
  }
  DataSize size() const { return {kind(), bytes(), table.rows.size()}; }
  std::uint64_t bytes() const {
    return pairs.bytes() + validation_pairs.bytes() +
           (token_ids.size() + validation_token_ids.size() + kept_token_ids.size() + table.rows.size()) *
               sizeof(std::uint32_t) +
           static_cast<std::uint64_t>(table.joint.rows()) * table.joint.cols() * sizeof(T);
  }
};

// Copies the tokens. Errors: kInvalidArgument for a stream of fewer than two tokens (validation: none, or at least
// two), and naming the first id that is not below vocab_size; kOutOfMemory.
template <class T>
Result<TrainingData<T>> training_data_from_tokens(const std::uint32_t* token_ids, std::size_t n_token_ids,
                                                  const std::uint32_t* validation_token_ids,
                                                  std::size_t n_validation_token_ids, std::uint64_t vocab_size);

// counts [V, V]: how often token j follows token i. joint = counts / total, rounded once from double.
// Errors: kShapeMismatch unless square; kInvalidArgument naming an entry that is negative or not an integer, and for a
// table of zeros; kNotFinite naming an entry that is NaN or infinite; kOutOfMemory.
template <class T>
Result<TrainingData<T>> training_data_from_counts(ConstMatrixView<float> counts);

}  // namespace tied
