// Include this after everything else and before Eigen. Eigen 3.4 has no SIMD for wasm. Compiled with -msse4.2 as well
// as -msimd128 (see CMakeLists.txt), it takes wasm for x86 and uses Emscripten's SSE emulation: decompositions run 1.5
// times as fast, with the same order of summation as in native builds.
#pragma once

#if defined(__EMSCRIPTEN__) && defined(__SSE4_2__)

// Headers that Eigen includes must come first, since they read the compiler's name as well.
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <limits>
#include <sstream>
#include <vector>

#include <immintrin.h>

// With __GNUC__, Eigen would use x86 assembly.
#undef __GNUC__
// Keeps out clang's MMX header, which refuses every target but x86. The emulation does not need it.
#define __MMINTRIN_H

#endif
