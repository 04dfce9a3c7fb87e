// Made by tied_floor_reference.py with PyTorch 1.13.0a0; not edited by hand.
// clang-format off
#pragma once

#include <cstddef>

namespace tied::tied_floor_reference {

inline constexpr float kCounts0[] = {0,2,1,1,0,0,0,0,0,2,1,0,0,0,0,1,0,0,0,0,2,0,0,0,0};  // abracadabra
inline constexpr float kCounts1[] = {0,1,1,2,1,0,0,0,1,0,1,0,2,0,0,2};  // mississippim
inline constexpr float kCounts2[] = {0,0,1,0,0,1,0,1,0,4,0,2,0,0,0,0,1,0,0,0,0,3,0,1,0};  // banana bandanab
inline constexpr float kCounts3[] = {0,0,1,0,0,0,0,0,5,1,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,2,2,0,0,0,2,0,0,1,0,0,0,0,0,3,0,0,1,0,0,0,0,0,0,0,0,0,2,0,0,2,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,2,0,0,3,3,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0};  // she sells sea shells by the sea shores
inline constexpr float kCounts4[] = {2,2,0,0,2,2,2,0,2};  // aabbccaabbcca
inline constexpr float kCounts5[] = {0,0,2,0,0,1,1,1,1,0,0,4,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,2,0,0,0,0,0,0,0,0,0,3,0,0,0,0,0,0,0,0,0,1,0,0,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,1,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,2,0,0,0,0,0,1,0,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,1,0,2,0,0,0,2,1,0,2,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0};  // to be or not to be that is the question t

// `optimum`: to 1e-6, nats per token.
struct Text {
  std::size_t size;
  const float* counts;
  double optimum;
};

inline constexpr Text kTexts[] = {
    {5, kCounts0, 1.421545402},
    {4, kCounts1, 1.129058862},
    {5, kCounts2, 1.325658120},
    {11, kCounts3, 1.789563637},
    {3, kCounts4, 1.039720771},
    {13, kCounts5, 1.996830215},
};

}  // namespace tied::tied_floor_reference
