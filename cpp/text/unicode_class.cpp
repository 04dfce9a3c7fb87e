#include "text/unicode_class.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace tied {
namespace {

#include "text/unicode_classes.inc"

// Every boundary takes a byte or more.
constexpr std::size_t kMaxBoundaries = std::size(kUnicodeClasses);
constexpr int kGroupBits = 7;
constexpr unsigned kMore = 1u << kGroupBits;

struct Boundaries {
  // First code points of the runs of a class, times 4, plus the class.
  std::array<std::uint32_t, kMaxBoundaries> runs{};
  std::size_t size = 0;
};

Boundaries decoded() {
  Boundaries boundaries;
  std::uint32_t first = 0;
  std::uint32_t number = 0;
  int shift = 0;
  for (const std::uint8_t byte : kUnicodeClasses) {
    number |= std::uint32_t{byte & (kMore - 1)} << shift;
    shift += kGroupBits;
    if (byte >= kMore) continue;
    first += number / 4;
    boundaries.runs[boundaries.size++] = first * 4 + number % 4;
    number = 0;
    shift = 0;
  }
  return boundaries;
}

}  // namespace

UnicodeClass unicode_class(char32_t code_point) {
  // Decoded on first use: the file has the shorter form.
  static const Boundaries boundaries = decoded();
  const std::uint32_t* const begin = boundaries.runs.data();
  const std::uint32_t* const after =
      std::upper_bound(begin, begin + boundaries.size, static_cast<std::uint32_t>(code_point) * 4 + 3);
  return after == begin ? UnicodeClass::kOther : static_cast<UnicodeClass>(*(after - 1) % 4);
}

}  // namespace tied
