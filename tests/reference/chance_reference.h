// Made by chance_reference.py with numpy 1.24.2; not edited by hand.
// clang-format off
#pragma once

#include <cstddef>

namespace tied::reference {

struct Sampled {
  double mean;
  double deviation;
};

inline constexpr std::size_t kChanceRuns = 4000;
inline constexpr std::size_t kSpectralChanceRuns = 1000;
inline constexpr Sampled kChanceOrthogonal = {0.2520373639766385, 0.04989225124421395};
inline constexpr Sampled kHeldOutOrthogonal = {0.623609469162925, 0.08904201195176542};
inline constexpr Sampled kChanceLinear = {0.34892752291196044, 0.054848309642336876};
inline constexpr Sampled kHeldOutLinear = {0.6724122341835301, 0.07830123421049207};
inline constexpr Sampled kChanceRidge = {0.33966342327595134, 0.054856687922790436};
inline constexpr Sampled kHeldOutRidge = {0.6801528655544968, 0.07605576437112213};
inline constexpr Sampled kChanceSpectral = {0.6699884960991965, 0.021069455539870077};
inline constexpr Sampled kShuffledSquaredCosine = {0.2650363423383956, 0.05621008281975447};
inline constexpr Sampled kLargestCosine = {0.7473953462553453, 0.05312908291947372};
inline constexpr Sampled kLargestCenteredCosine = {0.7676769502997882, 0.046209470363922485};
inline constexpr double kFrequencyR2 = 0.3392283659050904;
inline constexpr Sampled kHeldOutFrequencyR2 = {-0.23244252231031592, 0.75010458669122};
// from, to, rows, mean norm
inline constexpr double kNormBands[] = {0.0, 0.0, 10.0, 4.671747279691384, 10.0, 31.0, 3.0, 2.541803187448591, 32.0, 99.0, 9.0, 4.782006755419781, 100.0, 316.0, 9.0, 4.279090183390839, 317.0, 999.0, 9.0, 4.448174339800599};
inline constexpr std::size_t kNormBandCount = 5;

}  // namespace tied::reference
