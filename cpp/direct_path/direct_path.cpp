#include "direct_path/direct_path.h"

#include <algorithm>

#include "linalg/checks.h"
#include "linalg/matmul.h"

namespace tied {
namespace {

// Rows of E M per block.
constexpr std::size_t kRowsPerBlock = 256;

Status check_shape(std::string_view name, ConstMatrixView<float> m, std::size_t rows, std::size_t cols) {
  if (m.rows != rows) return rows_error(name, m.rows, joined({text_of(rows), " rows"}));
  if (m.cols != cols) return cols_error(name, m.cols, joined({text_of(cols), " columns"}));
  return check_finite(name, m);
}

}  // namespace

Status check_factors(const DirectPathFactors& factors) {
  const ConstMatrixView<float>& e = factors.embedding;
  if (Status status = check_not_empty("embedding", e); !status) return status;
  if (factors.unembedding) {
    if (Status status = check_shape("unembedding", *factors.unembedding, e.rows, e.cols); !status) return status;
  }
  if (factors.between) {
    if (Status status = check_shape("between", *factors.between, e.cols, e.cols); !status) return status;
  }
  return Status();
}

Status direct_path_into(MatrixView<float> out, const DirectPathFactors& factors) {
  if (Status status = check_factors(factors); !status) return status;
  const ConstMatrixView<float>& e = factors.embedding;
  const ConstMatrixView<float>& u = factors.unembedding ? *factors.unembedding : e;
  if (out.rows != e.rows || out.cols != e.rows) {
    return rows_error("out", out.rows, joined({text_of(e.rows), " rows and columns"}));
  }
  if (factors.between) {
    auto block = Matrix<float>::create(std::min(kRowsPerBlock, e.rows), e.cols);
    if (!block) return block.failure();
    for (std::size_t i = 0; i < e.rows; i += kRowsPerBlock) {
      const std::size_t rows = std::min(kRowsPerBlock, e.rows - i);
      const MatrixView<float> mapped = block.value().view().row_block(0, rows);
      matmul_nn<float>(mapped, e.row_block(i, rows), *factors.between);
      matmul_nt<float>(out.row_block(i, rows), mapped, u);
    }
  } else {
    matmul_nt<float>(out, e, u);
  }
  return check_finite("directPath", ConstMatrixView<float>(out));
}

Result<Matrix<float>> direct_path(const DirectPathFactors& factors) {
  const std::size_t vocab_size = factors.embedding.rows;
  if (vocab_size > kLargestDirectPathVocabSize) {
    return make_error(ErrorCode::kOutOfMemory, "embedding.rows", vocab_size,
                      joined({"at most ", text_of(kLargestDirectPathVocabSize),
                              " rows, since the direct path takes 4 bytes times the square of that"}));
  }
  if (Status status = check_factors(factors); !status) return status;
  auto out = Matrix<float>::create(vocab_size, vocab_size);
  if (!out) return out;
  if (Status status = direct_path_into(out.value().view(), factors); !status) return status;
  return out;
}

}  // namespace tied
