#include "bindings/architecture_numbers.h"

#include "bindings/given.h"

namespace tied::bindings {
Architecture architecture_at(Address address) {
  Architecture architecture;
  Given(address).read_fields(architecture);
  return architecture;
}

}  // namespace tied::bindings
