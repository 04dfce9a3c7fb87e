#include "training/tree_sum.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "linalg/reduce.h"

namespace tied {

// The next `size` numbers. `there`: one bit for each source that has them. A sum is made where the gradients are, if
// they are part of it, and else in the room of its level.
template <class T>
void TreeSum<T>::write(T* own, std::uint64_t there, std::size_t size) {
  T rooms[kLevels][kBlock];
  const T* stack[kLevels];
  std::size_t depth = 0;
  for (std::size_t i = 0; i < n_steps_; ++i) {
    if (const std::uint8_t step = steps_[i]; step != kSum) {
      const T*& numbers = sources_[step].numbers;
      const bool is_there = (there >> step & 1) != 0;
      stack[depth++] = !is_there ? nullptr : numbers == nullptr ? own : numbers;
      if (is_there && numbers != nullptr) numbers += size;
      continue;
    }
    const T* right = stack[--depth];
    const T*& left = stack[depth - 1];
    if (left == nullptr || right == own) std::swap(left, right);
    if (left == nullptr) continue;
    T* const sum = left == own ? own : rooms[depth - 1];
    if (left != sum) std::memcpy(sum, left, size * sizeof(T));
    if (right != nullptr) add_scaled(sum, right, size, T{1});
    left = sum;
  }
  if (stack[0] != own) std::memcpy(own, stack[0], size * sizeof(T));
}

template <class T>
void TreeSum<T>::write_to(ParameterStore<T>& parameters) {
  for (const Parameter& parameter : parameters.table().list()) {
    T* const own = parameters.gradient(parameter).data;
    const bool marks = parameter.marks_rows;
    const auto units = static_cast<std::size_t>(marks ? parameter.units() : 1);
    const auto unit_size = static_cast<std::size_t>(marks ? parameter.unit_size() : parameter.size());
    for (std::size_t unit = 0; unit < units; ++unit) {
      const std::size_t word = static_cast<std::size_t>(parameter.touched_offset) + unit / 64;
      std::uint64_t there = 0;
      std::uint64_t any = 0;
      for (std::size_t k = 0; k < n_sources_; ++k) {
        const std::uint64_t bits = marks ? sources_[k].touched[word] >> unit % 64 : 1;
        there |= (bits & 1) << k;
        any |= bits;
      }
      if (any == 0) unit |= 63;
      const std::size_t end = there == 0 ? 0 : (unit + 1) * unit_size;
      for (std::size_t at = unit * unit_size; at < end; at += kBlock) {
        write(own + at, there, std::min(kBlock, end - at));
      }
    }
  }
  for (std::size_t k = 0; k < n_sources_; ++k) parameters.touch_rows(sources_[k].touched);
}

template class TreeSum<float>;
template class TreeSum<double>;

}  // namespace tied
