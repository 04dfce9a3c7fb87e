// Made by cycles_reference.py with numpy 1.24.2; not edited by hand.
// clang-format off
#pragma once

#include <cstddef>

namespace tied::reference {

inline constexpr std::size_t kCycleVocab = 9;
inline constexpr float kCycleCounts[] = {3, 5, 0, 8, 1, 0, 0, 3, 7, 6, 4, 6, 0, 1, 11, 13, 0, 1, 5, 6, 1, 15, 2, 10, 32, 6, 5, 13, 1, 9, 3, 7, 11, 18, 22, 22, 3, 27, 0, 8, 0, 7, 5, 20, 3, 20, 3, 4, 1, 9, 2, 0, 0, 8, 3, 2, 14, 4, 0, 6, 0, 17, 3, 4, 7, 0, 25, 0, 19, 0, 0, 1, 8, 18, 7, 5, 9, 3, 5, 4, 1};
inline constexpr std::size_t kCyclesCompared = 25;
inline constexpr std::size_t kCyclesOneWay = 47;
inline constexpr double kCycleAffinity = 2.9842644263827016;
inline constexpr std::size_t kStrongestCycle[] = {1, 6, 7};
inline constexpr double kStrongestFlow = 7;
inline constexpr double kStrongestForward = 0.013423226433430515;
inline constexpr double kStrongestBackward = 0.0;

}  // namespace tied::reference
