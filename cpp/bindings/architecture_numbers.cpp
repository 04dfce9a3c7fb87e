#include "bindings/architecture_numbers.h"

#include <type_traits>

namespace tied::bindings {
Architecture architecture_at(Address address) {
  const std::uint64_t* from = at<std::uint64_t>(address);
  Architecture architecture;
  for_each_field(architecture, [&](const Field&, auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(*from++);
  });
  return architecture;
}

}  // namespace tied::bindings
