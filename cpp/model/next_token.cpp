#include "model/next_token.h"

#include <algorithm>
#include <utility>

#include "linalg/reduce.h"
#include "linalg/softmax.h"

namespace tied {

template <class T>
Result<Matrix<T>> next_token(Model<T>& model, std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                             NextToken what) {
  const std::size_t vocab_size = static_cast<std::size_t>(model.config().vocab_size);
  auto result = Matrix<T>::create(from.size(), to.empty() ? vocab_size : to.size());
  if (!result) return result.failure();
  // With selected columns, whole rows exist only for a few tokens at a time. A model with a context gets one token at a
  // time, since it would read several as a sequence.
  constexpr std::size_t kRowsAtOnce = 16;
  const std::size_t most_at_once = to.empty() ? from.size() : std::min(kRowsAtOnce, from.size());
  const std::size_t rows_at_once = model.reads_joint() ? most_at_once : 1;
  Matrix<T> buffer;
  if (!to.empty()) {
    auto created = Matrix<T>::create(rows_at_once, vocab_size);
    if (!created) return created.failure();
    buffer = std::move(created).value();
  }
  for (std::size_t first = 0; first < from.size(); first += rows_at_once) {
    const std::size_t n_rows = std::min(rows_at_once, from.size() - first);
    const MatrixView<T> rows =
        to.empty() ? result.value().view().row_block(first, n_rows) : buffer.view().row_block(0, n_rows);
    model.logits(rows, from.data() + first, n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
      const std::size_t j = first_not_finite(rows.row(i), vocab_size);
      if (j < vocab_size) {
        return make_error(ErrorCode::kNotFinite, "logit", static_cast<double>(rows(i, j)),
                          "a finite number: smaller values in the matrices");
      }
    }
    if (what == NextToken::kProbabilities) softmax_rows(rows, rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
      for (std::size_t j = 0; j < to.size(); ++j) result.value()(first + i, j) = rows(i, to[j]);
    }
  }
  return result;
}

template Result<Matrix<float>> next_token(Model<float>&, std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                                          NextToken);
template Result<Matrix<double>> next_token(Model<double>&, std::span<const std::uint32_t>,
                                           std::span<const std::uint32_t>, NextToken);

}  // namespace tied
