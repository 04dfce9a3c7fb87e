#include "model/factorized_table.h"

#include <algorithm>

#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

template <class T>
MatrixView<T> rows_of_tokens(const std::uint32_t* tokens, std::size_t n, const ConstMatrixView<T>& table, T* rows) {
  const MatrixView<T> out(rows, n, table.cols);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(table.row(tokens[i]), table.cols, out.row(i));
  return out;
}

}  // namespace

template <class T>
void look_up_factorized(const MatrixView<T>& out, const std::uint32_t* tokens, const ParameterStore<T>& parameters,
                        const EndParameters& ends, T* rows) {
  const ConstMatrixView<T> table = parameters.values(ends.embedding);
  matmul_nn(out, rows_of_tokens<T>(tokens, out.rows, table, rows), parameters.values(ends.embedding_factor));
}

template <class T>
void scatter_factorized(const MatrixView<T>& out_gradient, const std::uint32_t* tokens, ParameterStore<T>& parameters,
                        const EndParameters& ends, T* rows, T* rows_gradient) {
  const std::size_t n = out_gradient.rows;
  const MatrixView<T> table = parameters.values(ends.embedding);
  const MatrixView<T> looked_up = rows_of_tokens<T>(tokens, n, table, rows);
  matmul_tn(parameters.gradient(ends.embedding_factor), looked_up, out_gradient, Accumulate::kAdd);
  const MatrixView<T> gradient(rows_gradient, n, table.cols);
  matmul_nt(gradient, out_gradient, parameters.values(ends.embedding_factor));
  const MatrixView<T> table_gradient = parameters.gradient(ends.embedding);
  for (std::size_t i = 0; i < n; ++i) {
    parameters.touch(ends.embedding, tokens[i]);
    add_scaled(table_gradient.row(tokens[i]), gradient.row(i), table.cols, T{1});
  }
}

template void look_up_factorized(const MatrixView<float>&, const std::uint32_t*, const ParameterStore<float>&,
                                 const EndParameters&, float*);
template void look_up_factorized(const MatrixView<double>&, const std::uint32_t*, const ParameterStore<double>&,
                                 const EndParameters&, double*);
template void scatter_factorized(const MatrixView<float>&, const std::uint32_t*, ParameterStore<float>&,
                                 const EndParameters&, float*, float*);
template void scatter_factorized(const MatrixView<double>&, const std::uint32_t*, ParameterStore<double>&,
                                 const EndParameters&, double*, double*);

}  // namespace tied
