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

bool is_set(const std::uint64_t* words, std::size_t i) { return (words[i / 64] >> i % 64 & 1) != 0; }

// ParameterStore::next_touched for these bits of all names.
template <class Run>
bool next_run(Run& run, const Parameter& parameter, const std::uint64_t* touched) {
  const std::size_t before = run.first + run.size;
  if (!parameter.sparse) {
    run = {0, static_cast<std::size_t>(parameter.size())};
    return before == 0;
  }
  const std::uint64_t* words = touched + static_cast<std::size_t>(parameter.touched_offset);
  const auto units = static_cast<std::size_t>(parameter.units());
  const auto unit_size = static_cast<std::size_t>(parameter.unit_size());
  std::size_t first = before / unit_size;
  while (first < units && !is_set(words, first)) {
    const std::uint64_t rest = words[first / 64] >> first % 64;
    first += rest == 0 ? 64 - first % 64 : static_cast<std::size_t>(std::countr_zero(rest));
  }
  if (first >= units) return false;
  std::size_t end = first + 1;
  while (end < units && is_set(words, end)) ++end;
  run = {first * unit_size, (end - first) * unit_size};
  return true;
}

// Calls visit(parameter, run) for all runs of all names.
template <class T, class Visit>
void for_each_run(const ParameterTable& table, const std::uint64_t* touched, const Visit& visit) {
  for (const Parameter& parameter : table.list()) {
    for (typename ParameterStore<T>::Run run; next_run(run, parameter, touched);) visit(parameter, run);
  }
}

}  // namespace

std::uint64_t packed_size(const ParameterTable& table, const std::uint64_t* touched) {
  std::uint64_t size = 0;
  for_each_run<float>(table, touched, [&](const Parameter&, const auto& run) { size += run.size; });
  return size;
}

bool are_rows(const ParameterTable& table, const std::uint64_t* touched) {
  for (const Parameter& parameter : table.list()) {
    if (!parameter.sparse || parameter.units() % 64 == 0) continue;
    const std::uint64_t last = touched[static_cast<std::size_t>(parameter.touched_offset + parameter.units() / 64)];
    if (last >> parameter.units() % 64 != 0) return false;
  }
  return true;
}

template <class T>
bool ParameterStore<T>::next_touched(Run& run, const Parameter& parameter) const {
  return next_run(run, parameter, gradients_.touched.data());
}

template <class T>
void ParameterStore<T>::zero_gradients() {
  auto& [numbers, touched, position_square] = gradients_;
  position_square = 0;
  if (touched.size() == 0) {
    std::memset(numbers.data(), 0, numbers.size_bytes());
    return;
  }
  for_each_run<T>(table_, touched.data(), [&](const Parameter& parameter, const Run& run) {
    std::memset(gradient(parameter).data + run.first, 0, run.size * sizeof(T));
  });
  std::memset(touched.data(), 0, touched.size_bytes());
}

// Rows that are not touched yet are copied: added to a 0, a -0 would lose its sign, in one order of both sides alone.
template <class T>
void ParameterStore<T>::add_run(const Parameter& parameter, const Run& run, const T* from) {
  T* const to = gradient(parameter).data + run.first;
  if (!parameter.sparse) return add_scaled(to, from, run.size, T{1});
  const std::uint64_t* const own = gradients_.touched.data() + static_cast<std::size_t>(parameter.touched_offset);
  const auto unit_size = static_cast<std::size_t>(parameter.unit_size());
  const auto is_touched = [&](std::size_t i) { return is_set(own, (run.first + i) / unit_size); };
  for (std::size_t first = 0; first < run.size;) {
    const bool adds = is_touched(first);
    std::size_t end = first + unit_size;
    while (end < run.size && is_touched(end) == adds) end += unit_size;
    if (adds) {
      add_scaled(to + first, from + first, end - first, T{1});
    } else {
      std::memcpy(to + first, from + first, (end - first) * sizeof(T));
    }
    first = end;
  }
}

template <class T>
void ParameterStore<T>::add_touched(const std::uint64_t* others) {
  for (std::size_t i = 0; i < gradients_.touched.size(); ++i) gradients_.touched[i] |= others[i];
}

template <class T>
void ParameterStore<T>::add_gradients(const Gradients<T>& other) {
  for_each_run<T>(table_, other.touched.data(), [&](const Parameter& parameter, const Run& run) {
    add_run(parameter, run, other.numbers.data() + parameter.gradient_offset + run.first);
  });
  add_touched(other.touched.data());
  gradients_.position_square += other.position_square;
}

template <class T>
void ParameterStore<T>::add_gradients(const PackedGradients<T>& other) {
  const T* next = other.numbers;
  for_each_run<T>(table_, other.touched, [&](const Parameter& parameter, const Run& run) {
    add_run(parameter, run, next);
    next += run.size;
  });
  add_touched(other.touched);
  gradients_.position_square += other.position_square;
}

template <class T>
void ParameterStore<T>::pack_gradients(T* out) const {
  for_each_run<T>(table_, gradients_.touched.data(), [&](const Parameter& parameter, const Run& run) {
    std::memcpy(out, gradient(parameter).data + run.first, run.size * sizeof(T));
    out += run.size;
  });
}

template <class T>
void ParameterStore<T>::unpack_gradients(const PackedGradients<T>& packed) {
  if (gradients_.touched.size() != 0) zero_gradients();
  const T* next = packed.numbers;
  for_each_run<T>(table_, packed.touched, [&](const Parameter& parameter, const Run& run) {
    std::memcpy(gradient(parameter).data + run.first, next, run.size * sizeof(T));
    next += run.size;
  });
  add_touched(packed.touched);
  gradients_.position_square = packed.position_square;
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
