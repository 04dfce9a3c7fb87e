#include "model/subset_head.h"

#include <algorithm>
#include <utility>

#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {

template <class T>
const T* SubsetHead<T>::bias() const {
  const ParameterIndex index = this->ends_.output_bias;
  return index == kNoParameter ? nullptr : std::as_const(*this->parameters_).values(index).data;
}

template <class T>
void SubsetHead<T>::gather(const MatrixView<T>& rows, const Subset& tokens) const {
  const ConstMatrixView<T> table = std::as_const(*this->parameters_).values(tokens.table);
  for (std::size_t j = 0; j < tokens.n; ++j) std::copy_n(table.row(tokens.place(j)), rows.cols, rows.row(j));
}

template <class T>
void SubsetHead<T>::subset_logits(const MatrixView<T>& z, const ConstMatrixView<T>& read_out,
                                  const ConstMatrixView<T>& rows, const Subset& tokens) const {
  matmul_nt(z, read_out, rows);
  if (this->scale_ != T{1}) scale(z.data, z.rows * z.cols, this->scale_);
  if (const T* biases = bias(); biases != nullptr) {
    for (std::size_t i = 0; i < z.rows; ++i) {
      for (std::size_t j = 0; j < tokens.n; ++j) z(i, j) += biases[tokens.ids[j]];
    }
  }
  if (this->inverse_temperature_ != T{1}) scale(z.data, z.rows * z.cols, this->inverse_temperature_);
}

template <class T>
void SubsetHead<T>::subset_backward(const MatrixView<T>& dz, const ConstMatrixView<T>& read_out,
                                    const ConstMatrixView<T>& rows, const Subset& tokens,
                                    const MatrixView<T>& rows_gradient, const MatrixView<T>& read_out_gradient) {
  ParameterStore<T>& parameters = *this->parameters_;
  if (this->inverse_temperature_ != T{1}) scale(dz.data, dz.rows * dz.cols, this->inverse_temperature_);
  if (const ParameterIndex biases = this->ends_.output_bias; biases != kNoParameter) {
    T* gradient = parameters.gradient(biases).data;
    for (std::size_t j = 0; j < tokens.n; ++j) {
      parameters.touch(biases, tokens.ids[j]);
      for (std::size_t i = 0; i < dz.rows; ++i) gradient[tokens.ids[j]] += dz(i, j);
    }
  }
  if (this->scale_ != T{1}) scale(dz.data, dz.rows * dz.cols, this->scale_);
  matmul_tn(rows_gradient, dz, read_out);
  const MatrixView<T> table_gradient = parameters.gradient(tokens.table);
  for (std::size_t j = 0; j < tokens.n; ++j) {
    parameters.touch(tokens.table, tokens.place(j));
    add_scaled(table_gradient.row(tokens.place(j)), rows_gradient.row(j), rows.cols, T{1});
  }
  matmul_nn(read_out_gradient, dz, rows);
}

template <class T>
T SubsetHead<T>::logit_of(const T* read_out, std::uint32_t token) const {
  const ConstMatrixView<T> table = std::as_const(*this->parameters_).values(this->ends_.unembedding);
  const T* biases = bias();
  const T product = static_cast<T>(dot(read_out, table.row(token), table.cols)) * this->scale_;
  return (product + (biases == nullptr ? T{0} : biases[token])) * this->inverse_temperature_;
}

template <class T>
T SubsetHead<T>::backward_logit(T gradient, const T* read_out, std::uint32_t token) {
  ParameterStore<T>& parameters = *this->parameters_;
  gradient *= this->inverse_temperature_;
  if (const ParameterIndex biases = this->ends_.output_bias; biases != kNoParameter) {
    parameters.touch(biases, token);
    parameters.gradient(biases).data[token] += gradient;
  }
  gradient *= this->scale_;
  const MatrixView<T> table_gradient = parameters.gradient(this->ends_.unembedding);
  parameters.touch(this->ends_.unembedding, token);
  add_scaled(table_gradient.row(token), read_out, table_gradient.cols, gradient);
  return gradient;
}

template <class T>
void SubsetHead<T>::touch_all() {
  ParameterStore<T>& parameters = *this->parameters_;
  const std::size_t vocab_size = parameters.values(this->ends_.unembedding).rows;
  for (std::size_t i = 0; i < vocab_size; ++i) {
    parameters.touch(this->ends_.unembedding, i);
    if (this->ends_.output_bias != kNoParameter) parameters.touch(this->ends_.output_bias, i);
  }
}

template class SubsetHead<float>;
template class SubsetHead<double>;

}  // namespace tied
