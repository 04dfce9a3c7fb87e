#include "training/gradient_ledger.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/token_ids.h"
#include "linalg/reduce.h"
#include "training/data.h"

namespace tied {
namespace {

template <class T>
Result<Matrix<T>> copy_of(ConstMatrixView<T> matrix) {
  auto copy = Matrix<T>::create(matrix.rows, matrix.cols);
  if (!copy) return copy.failure();
  std::memcpy(copy.value().data(), matrix.data, matrix.rows * matrix.cols * sizeof(T));
  return copy;
}

// Copies the gradient to matrix `part` of a column of matrices.
template <class T>
void copy_part(Matrix<T>& column, std::size_t part, ConstMatrixView<T> matrix) {
  std::memcpy(column.view().row(part * matrix.rows), matrix.data, matrix.rows * matrix.cols * sizeof(T));
}

template <class T>
std::size_t rows_with_any(const Matrix<T>& matrix) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    if (max_abs(matrix.view().row(i), matrix.cols()) != 0) ++count;
  }
  return count;
}

}  // namespace

template <class T>
Result<TokenBatch> checked_batch(const Model<T>& model, const TokenBatch& batch) {
  constexpr auto kInvalid = ErrorCode::kInvalidArgument;
  if (batch.size == 0) return make_error(kInvalid, "inputs.length", batch.size, "at least one token");
  const std::size_t context_length = model.context_length();
  std::size_t sequence_length = batch.sequence_length;
  if (sequence_length == 0 || model.reads_joint()) sequence_length = std::min(context_length, batch.size);
  if (sequence_length > context_length) {
    return make_error(kInvalid, "sequence_length", sequence_length,
                      "at most the context_length of the model, " + text_of(context_length));
  }
  if (batch.size % sequence_length != 0) {
    return make_error(kInvalid, "inputs.length", batch.size,
                      "a whole number of sequences of " + text_of(sequence_length) + " tokens");
  }
  const std::uint64_t vocab_size = model.config().vocab_size;
  if (Status status = check_token_ids("inputs", {batch.inputs, batch.size}, vocab_size); !status) return status;
  if (Status status = check_token_ids("targets", {batch.targets, batch.size}, vocab_size); !status) {
    return status;
  }
  return TokenBatch{batch.inputs, batch.targets, batch.size, sequence_length};
}

template <class T>
Result<GradientLedger<T>> gradient_ledger(ParameterStore<T>& parameters, double input_scale, double output_scale) {
  const Parameter& input = *parameters.table().of_role(ParameterRole::kInput);
  const Parameter& output = *parameters.table().of_role(ParameterRole::kOutput);
  auto input_part = copy_of<T>(parameters.gradient(input));
  if (!input_part) return input_part.failure();
  auto output_part = copy_of<T>(parameters.gradient(output));
  if (!output_part) return output_part.failure();
  GradientLedger<T> ledger;
  const Parameter* const factor = parameters.table().find("embedding.factor");
  if (factor != nullptr) {
    auto made = Matrix<T>::create(3 * static_cast<std::size_t>(factor->rows), static_cast<std::size_t>(factor->cols));
    if (!made) return made.failure();
    ledger.factor = std::move(made).value();
    copy_part<T>(ledger.factor, 0, parameters.gradient(*factor));
    copy_part<T>(ledger.factor, 1, parameters.gradient(*parameters.table().find("unembedding.factor")));
  }
  if (const Parameter* const third = parameters.table().third(); third != nullptr) {
    auto third_part = copy_of<T>(parameters.gradient(*third));
    if (!third_part) return third_part.failure();
    ledger.third = std::move(third_part).value();
    ledger.third_rows = rows_with_any(ledger.third);
  }
  parameters.combine_gradients(input_scale, output_scale);
  auto total = copy_of<T>(parameters.gradient(input));
  if (!total) return total.failure();
  if (factor != nullptr) copy_part<T>(ledger.factor, 2, parameters.gradient(*factor));
  ledger.input = std::move(input_part).value();
  ledger.output = std::move(output_part).value();
  ledger.total = std::move(total).value();
  ledger.input_rows = rows_with_any(ledger.input);
  ledger.output_rows = rows_with_any(ledger.output);
  return ledger;
}

template Result<TokenBatch> checked_batch(const Model<float>&, const TokenBatch&);
template Result<TokenBatch> checked_batch(const Model<double>&, const TokenBatch&);
template Result<GradientLedger<float>> gradient_ledger(ParameterStore<float>&, double, double);
template Result<GradientLedger<double>> gradient_ledger(ParameterStore<double>&, double, double);

}  // namespace tied
