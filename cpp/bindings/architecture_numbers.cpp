#include "bindings/architecture_numbers.h"

#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace tied::bindings {
Architecture architecture_at(Address address) {
  const std::uint64_t* from = at<std::uint64_t>(address);
  Architecture architecture;
  for_each_field(architecture, [&](const Field&, auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(*from++);
  });
  return architecture;
}

void answer_counts(std::span<const Whole> counts) {
  static_assert(sizeof(Whole) == 2 * sizeof(std::uint32_t));
  std::vector<std::uint32_t> words(2 * counts.size());
  std::memcpy(words.data(), counts.data(), counts.size_bytes());
  answer.ids(std::move(words));
}

}  // namespace tied::bindings
