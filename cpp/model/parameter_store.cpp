#include "model/parameter_store.h"

#include <bit>

#include "base/allocate.h"
#include "base/random.h"
#include "linalg/reduce.h"

namespace tied {

template <class T>
Status Gradients<T>::allocate(const ParameterTable& table) {
  if (Status status = tied::allocate(numbers, table.gradient_extent()); !status) return status;
  return tied::allocate(touched, table.touched_extent());
}

template <class T>
Status ParameterStore<T>::allocate(ParameterTable table) {
  if (Status status = tied::allocate(values_, table.value_extent()); !status) return status;
  if (Status status = gradients_.allocate(table); !status) return status;
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

namespace {

// ParameterStore::next_touched for the bits in the words that word_at(0), word_at(1), ... return.
template <class Run, class WordAt>
bool next_run(Run& run, const Parameter& parameter, const WordAt& word_at) {
  const std::size_t before = run.first + run.size;
  if (!parameter.sparse) {
    run = {0, static_cast<std::size_t>(parameter.size())};
    return before == 0;
  }
  const auto units = static_cast<std::size_t>(parameter.units());
  const auto unit_size = static_cast<std::size_t>(parameter.unit_size());
  const auto is_set = [&](std::size_t unit) { return (word_at(unit / 64) >> unit % 64 & 1) != 0; };
  std::size_t first = before / unit_size;
  while (first < units && !is_set(first)) {
    const std::uint64_t rest = word_at(first / 64) >> first % 64;
    first += rest == 0 ? 64 - first % 64 : static_cast<std::size_t>(std::countr_zero(rest));
  }
  if (first >= units) return false;
  std::size_t end = first + 1;
  while (end < units && is_set(end)) ++end;
  run = {first * unit_size, (end - first) * unit_size};
  return true;
}

}  // namespace

template <class T>
bool ParameterStore<T>::next_touched(Run& run, const Parameter& parameter) const {
  const std::uint64_t* words = gradients_.touched.data() + static_cast<std::size_t>(parameter.touched_offset);
  return next_run(run, parameter, [&](std::size_t i) { return words[i]; });
}

template <class T>
void ParameterStore<T>::zero_gradients() {
  auto& [numbers, touched, position_square] = gradients_;
  position_square = 0;
  if (touched.size() == 0) {
    std::memset(numbers.data(), 0, numbers.size_bytes());
    return;
  }
  for (const Parameter& parameter : table_.list()) {
    T* const own = numbers.data() + parameter.gradient_offset;
    for (Run run; next_touched(run, parameter);) std::memset(own + run.first, 0, run.size * sizeof(T));
  }
  std::memset(touched.data(), 0, touched.size_bytes());
}

// Rows that only one of the two has are copied: added to a 0, a -0 would lose its sign in one order of both.
template <class T>
void ParameterStore<T>::add_gradients(const Gradients<T>& other) {
  for (const Parameter& parameter : table_.list()) {
    T* const to = gradients_.numbers.data() + parameter.gradient_offset;
    const T* const from = other.numbers.data() + parameter.gradient_offset;
    std::uint64_t* const own = gradients_.touched.data() + static_cast<std::size_t>(parameter.touched_offset);
    const std::uint64_t* const others = other.touched.data() + static_cast<std::size_t>(parameter.touched_offset);
    for (Run run; next_run(run, parameter, [&](std::size_t i) { return others[i] & own[i]; });) {
      add_scaled(to + run.first, from + run.first, run.size, T{1});
    }
    if (!parameter.sparse) continue;
    for (Run run; next_run(run, parameter, [&](std::size_t i) { return others[i] & ~own[i]; });) {
      std::memcpy(to + run.first, from + run.first, run.size * sizeof(T));
    }
    for (std::size_t i = 0; i < (parameter.units() + 63) / 64; ++i) own[i] |= others[i];
  }
  gradients_.position_square += other.position_square;
}

template <class T>
void ParameterStore<T>::combine_gradients(double input_gradient_scale) {
  for (const Parameter& parameter : table_.list()) {
    if (reads_tokens(parameter.role) && input_gradient_scale != 1) {
      T* numbers = gradients_.numbers.data() + parameter.gradient_offset;
      for (Run run; next_touched(run, parameter);) {
        scale(numbers + run.first, run.size, static_cast<T>(input_gradient_scale));
      }
    }
  }
  for (const Parameter& parameter : table_.list()) {
    if (parameter.owns_storage()) continue;
    const Parameter& owner = table_.list()[parameter.tied_to];
    for (Run run; next_touched(run, parameter);) {
      add_scaled(gradients_.numbers.data() + owner.gradient_offset + run.first,
                 gradients_.numbers.data() + parameter.gradient_offset + run.first, run.size, T{1});
    }
    if (!parameter.sparse) continue;
    const std::uint64_t* from = gradients_.touched.data() + static_cast<std::size_t>(parameter.touched_offset);
    std::uint64_t* to = gradients_.touched.data() + static_cast<std::size_t>(owner.touched_offset);
    for (std::size_t i = 0; i < (parameter.units() + 63) / 64; ++i) to[i] |= from[i];
  }
}

template struct Gradients<float>;
template struct Gradients<double>;
template class ParameterStore<float>;
template class ParameterStore<double>;

}  // namespace tied
