#include "model/parameter_store.h"

#include <bit>

#include "base/allocate.h"
#include "base/random.h"
#include "linalg/reduce.h"

namespace tied {

template <class T>
Status ParameterStore<T>::allocate(ParameterTable table) {
  if (Status status = tied::allocate(values_, table.value_extent()); !status) return status;
  if (Status status = tied::allocate(gradients_, table.gradient_extent()); !status) return status;
  if (Status status = tied::allocate(touched_, table.touched_extent()); !status) return status;
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

// The next run of elements in rows with these bits or, if it is `whole`, all of a parameter.
template <class Run>
bool next_run(Run& run, const Parameter& parameter, const std::uint64_t* touched, bool whole) {
  const std::size_t before = run.first + run.size;
  if (whole) {
    run = {0, static_cast<std::size_t>(parameter.size())};
    return before == 0;
  }
  const std::uint64_t* words = touched + static_cast<std::size_t>(parameter.touched_offset);
  const auto units = static_cast<std::size_t>(parameter.units());
  const auto unit_size = static_cast<std::size_t>(parameter.unit_size());
  const auto is_set = [&](std::size_t unit) { return (words[unit / 64] >> unit % 64 & 1) != 0; };
  std::size_t first = before / unit_size;
  while (first < units && !is_set(first)) {
    const std::uint64_t rest = words[first / 64] >> first % 64;
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
  return next_run(run, parameter, touched_.data(), !parameter.sparse);
}

template <class T>
void ParameterStore<T>::zero_gradients() {
  position_square_ = 0;
  ++gradient_changes_;
  if (touched_.size() == 0) {
    std::memset(gradients_.data(), 0, gradients_.size_bytes());
    return;
  }
  for (const Parameter& parameter : table_.list()) {
    T* numbers = gradients_.data() + parameter.gradient_offset;
    for (Run run; next_run(run, parameter, touched_.data(), !parameter.marks_rows);) {
      std::memset(numbers + run.first, 0, run.size * sizeof(T));
    }
  }
  std::memset(touched_.data(), 0, touched_.size_bytes());
}

template <class T>
std::size_t ParameterStore<T>::packed(const std::uint64_t* touched, T* numbers) const {
  std::size_t count = 0;
  for (const Parameter& parameter : table_.list()) {
    const T* const own = gradients_.data() + parameter.gradient_offset;
    for (Run run; next_run(run, parameter, touched, !parameter.marks_rows);) {
      if (numbers != nullptr) std::memcpy(numbers + count, own + run.first, run.size * sizeof(T));
      count += run.size;
    }
  }
  return count;
}

namespace {

void add_run(std::vector<std::uint32_t>& runs, std::uint64_t first, std::size_t size) {
  runs.push_back(static_cast<std::uint32_t>(first));
  runs.push_back(static_cast<std::uint32_t>(size));
}

}  // namespace

template <class T>
std::vector<std::uint32_t> ParameterStore<T>::packed_runs(const std::uint64_t* touched) const {
  std::vector<std::uint32_t> runs;
  for (const Parameter& parameter : table_.list()) {
    for (Run run; next_run(run, parameter, touched, !parameter.marks_rows);) {
      add_run(runs, parameter.gradient_offset + run.first, run.size);
    }
  }
  return runs;
}

template <class T>
std::vector<std::uint32_t> ParameterStore<T>::changed_runs() const {
  std::vector<std::uint32_t> runs;
  for (const Parameter& parameter : table_.list()) {
    if (!parameter.owns_storage()) continue;
    for (Run run; next_touched(run, parameter);) add_run(runs, parameter.offset + run.first, run.size);
  }
  return runs;
}

template <class T>
void ParameterStore<T>::touch_rows(const std::uint64_t* touched) {
  for (std::size_t i = 0; i < touched_.size(); ++i) touched_[i] |= touched[i];
}

template <class T>
void ParameterStore<T>::combine_gradients(double input_scale, double output_scale) {
  ++gradient_changes_;
  for (const Parameter& parameter : table_.list()) {
    const double factor = reads_tokens(parameter.role)               ? input_scale
                          : parameter.role == ParameterRole::kOutput ? output_scale
                                                                     : 1;
    if (factor == 1) continue;
    T* numbers = gradients_.data() + parameter.gradient_offset;
    for (Run run; next_touched(run, parameter);) scale(numbers + run.first, run.size, static_cast<T>(factor));
  }
  for (const Parameter& parameter : table_.list()) {
    if (parameter.owns_storage()) continue;
    const Parameter& owner = table_.list()[parameter.tied_to];
    for (Run run; next_touched(run, parameter);) {
      add_scaled(gradients_.data() + owner.gradient_offset + run.first,
                 gradients_.data() + parameter.gradient_offset + run.first, run.size, T{1});
    }
    if (!owner.marks_rows) continue;
    const std::uint64_t* from = touched_.data() + static_cast<std::size_t>(parameter.touched_offset);
    std::uint64_t* to = touched_.data() + static_cast<std::size_t>(owner.touched_offset);
    const std::size_t words = static_cast<std::size_t>((owner.units() + 63) / 64);
    // Bits beyond the last row are not looked at.
    for (std::size_t i = 0; i < words; ++i) to[i] |= parameter.marks_rows ? from[i] : ~std::uint64_t{0};
  }
}

template class ParameterStore<float>;
template class ParameterStore<double>;

}  // namespace tied
