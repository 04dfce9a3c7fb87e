#include "base/allocate.h"

#include <utility>

namespace tied {

template <class T>
Status allocate(AlignedBuffer<T>& buffer, std::uint64_t size, Initially initially) {
  constexpr std::uint64_t kMaxSize = static_cast<std::size_t>(-1);
  // A size beyond the address space fails like the largest one.
  auto created = AlignedBuffer<T>::create(static_cast<std::size_t>(size < kMaxSize ? size : kMaxSize), initially);
  if (!created) return created.failure();
  buffer = std::move(created).value();
  return {};
}

template Status allocate(AlignedBuffer<float>&, std::uint64_t, Initially);
template Status allocate(AlignedBuffer<double>&, std::uint64_t, Initially);
template Status allocate(AlignedBuffer<std::uint32_t>&, std::uint64_t, Initially);
template Status allocate(AlignedBuffer<std::uint64_t>&, std::uint64_t, Initially);

}  // namespace tied
