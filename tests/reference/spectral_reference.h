// Made by spectral_reference.py with numpy 1.24.2; not edited by hand.
// clang-format off
#pragma once

#include <cstddef>

namespace tied::reference {

inline constexpr std::size_t kSpectralNeighbors = 5;
inline constexpr std::size_t kSpectralDimensions = 8;
inline constexpr double kSpectralDistance = 0.5772512730436266;

}  // namespace tied::reference
