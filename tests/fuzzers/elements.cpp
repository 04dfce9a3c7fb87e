// Any bytes as elements of any type: each element equals the formula, other lengths are refused, and nothing beyond the
// bytes is read.
#include <bit>
#include <cmath>
#include <vector>

#include "checkpoint/decode.h"
#include "input.h"
#include "plain_elements.h"

namespace tied::fuzz {
namespace {

std::uint32_t bits_of(float value) { return std::isnan(value) ? 0x7FC00000 : std::bit_cast<std::uint32_t>(value); }

void decode(Input input) {
  const ElementType type = input.type();
  const std::uint8_t how = input.byte();
  const ElementBlock block = block_of(type);
  const std::size_t blocks = input.rest().size() / block.bytes;
  // Mostly the number of elements in the bytes.
  const std::size_t asked = (how & 3) != 0 ? blocks : how >> 2;
  const bool whole = (how & 3) != 0;
  const Exactly stored(whole ? input.rest().first(blocks * block.bytes) : input.rest(), (how & 128) != 0);
  const std::size_t elements = asked * block.elements + ((how & 67) == 64 ? 1 : 0);
  std::vector<float> out(elements, 7.0F);
  const Status status = decode_elements(out, type, stored.bytes());
  const bool fits = elements % block.elements == 0 && stored.bytes().size() == elements / block.elements * block.bytes;
  check(status.ok() == fits, "a length that fits is accepted, and no other");
  if (!fits) {
    for (const float value : out) check(value == 7.0F, "nothing is written where the length does not fit");
    return;
  }
  for (std::size_t i = 0; i < elements; ++i) {
    const std::uint8_t* from = stored.bytes().data() + i / block.elements * block.bytes;
    check(bits_of(out[i]) == bits_of(plain_element(type, from, i % block.elements)), "an element is not its formula's");
  }
}

}  // namespace
}  // namespace tied::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tied::fuzz::decode(tied::fuzz::Input({data, size}));
  return 0;
}
