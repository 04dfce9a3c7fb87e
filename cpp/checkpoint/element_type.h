// How files store the elements of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tied {

// F8 E4M3 is the variant without infinities ("FN"), FNUZ the two without infinities and without -0. All from Q8_0 on
// are the blocks of GGUF files; the last eight are no types of files, but what tables of several tensors are arranged
// into.
enum class ElementType : std::uint8_t {
  kF32,
  kF64,
  kF16,
  kBf16,
  kF8E4m3,
  kF8E5m2,
  kF8E4m3Fnuz,
  kF8E5m2Fnuz,
  kQ80,
  kQ6K,
  kQ5K,
  kQ4K,
  kQ40,
  kQ41,
  kQ50,
  kQ51,
  kQ2K,
  kQ3K,
  kIQ4NL,
  kIQ4XS,
  kMXFP4,
  kNVFP4,
  kTQ10,
  kTQ20,
  kQ10,
  kQ20,
  kIQ2XXS,
  kIQ2XS,
  kIQ2S,
  kIQ3XXS,
  kIQ3S,
  kIQ1S,
  kIQ1M,
  kAffine2,
  kAffine3,
  kAffine4,
  kAffine5,
  kAffine6,
  kAffine8,
  kScaledE2m1,
  kScaledE4m3,
};
inline constexpr std::size_t kElementTypes = 41;
// As safetensors and GGUF files call them, but for the last.
inline constexpr std::string_view kElementNames[kElementTypes] = {
    "F32",         "F64",      "F16",      "BF16",     "F8_E4M3",     "F8_E5M2",     "F8_E4M3FNUZ",
    "F8_E5M2FNUZ", "Q8_0",     "Q6_K",     "Q5_K",     "Q4_K",        "Q4_0",        "Q4_1",
    "Q5_0",        "Q5_1",     "Q2_K",     "Q3_K",     "IQ4_NL",      "IQ4_XS",      "MXFP4",
    "NVFP4",       "TQ1_0",    "TQ2_0",    "Q1_0",     "Q2_0",        "IQ2_XXS",     "IQ2_XS",
    "IQ2_S",       "IQ3_XXS",  "IQ3_S",    "IQ1_S",    "IQ1_M",       "affine_2",    "affine_3",
    "affine_4",    "affine_5", "affine_6", "affine_8", "scaled_E2M1", "scaled_E4M3",
};

// Number of elements per stored block, and bytes per block.
struct ElementBlock {
  std::size_t elements = 1;
  std::size_t bytes = 4;
};

constexpr ElementBlock block_of(ElementType type) {
  constexpr ElementBlock kBlocks[kElementTypes] = {
      {1, 4},     {1, 8},     {1, 2},     {1, 2},     {1, 1},    {1, 1},    {1, 1},    {1, 1},    {32, 34},
      {256, 210}, {256, 176}, {256, 144}, {32, 18},   {32, 20},  {32, 22},  {32, 24},  {256, 84}, {256, 110},
      {32, 18},   {256, 136}, {32, 17},   {64, 36},   {256, 54}, {256, 66}, {128, 18}, {64, 18},  {256, 66},
      {256, 74},  {256, 82},  {256, 98},  {256, 110}, {256, 50}, {256, 56}, {16, 12},  {16, 14},  {16, 16},
      {16, 18},   {16, 20},   {16, 24},   {16, 12},   {16, 20},
  };
  return kBlocks[static_cast<std::size_t>(type)];
}

}  // namespace tied
