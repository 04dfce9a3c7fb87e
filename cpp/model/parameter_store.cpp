#include "model/parameter_store.h"

#include "base/allocate.h"
#include "base/random.h"
#include "linalg/reduce.h"

namespace tied {

template <class T>
Status ParameterStore<T>::allocate(ParameterTable table) {
  if (Status status = tied::allocate(values_, table.value_extent()); !status) return status;
  if (Status status = tied::allocate(gradients_, table.gradient_extent()); !status) return status;
  table_ = std::move(table);
  return {};
}

template <class T>
void ParameterStore<T>::initialize(std::uint64_t seed) {
  values_.fill(T{0});
  for (const Parameter& parameter : table_.list()) {
    if (!parameter.owns_storage()) continue;
    const MatrixView<T> matrix = values(parameter);
    switch (parameter.initial) {
      case InitialValue::kZero:
        break;
      case InitialValue::kOne:
        for (std::size_t i = 0; i < matrix.rows * matrix.cols; ++i) matrix.data[i] = T{1};
        break;
      case InitialValue::kIdentity:
        for (std::size_t i = 0; i < matrix.rows && i < matrix.cols; ++i) matrix(i, i) = T{1};
        break;
      case InitialValue::kNormal: {
        Random random(seed, stream_of("parameter:" + parameter.name));
        for (std::size_t i = 0; i < matrix.rows; ++i) {
          for (std::size_t j = 0; j < matrix.cols; ++j) {
            matrix(i, j) = static_cast<T>(parameter.initial_std * random.normal());
          }
        }
        break;
      }
    }
  }
}

template <class T>
void ParameterStore<T>::combine_gradients(double input_gradient_scale) {
  for (const Parameter& parameter : table_.list()) {
    const std::size_t size = static_cast<std::size_t>(parameter.size());
    if (reads_tokens(parameter.role) && input_gradient_scale != 1) {
      scale(gradients_.data() + parameter.gradient_offset, size, static_cast<T>(input_gradient_scale));
    }
  }
  for (const Parameter& parameter : table_.list()) {
    if (parameter.owns_storage()) continue;
    const Parameter& owner = table_.list()[parameter.tied_to];
    add_scaled(gradients_.data() + owner.gradient_offset, gradients_.data() + parameter.gradient_offset,
               static_cast<std::size_t>(parameter.size()), T{1});
  }
}

template class ParameterStore<float>;
template class ParameterStore<double>;

}  // namespace tied
