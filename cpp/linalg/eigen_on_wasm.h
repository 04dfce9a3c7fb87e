// Include this before Eigen and after everything else. Eigen 3.4 has no vectors for wasm; compiled with -msse4.2 beside
// -msimd128 (see CMakeLists.txt), it takes wasm for an x86 machine and uses Emscripten's emulation of SSE: its
// decompositions are then half as fast again, in the same order of summation as natively.
#pragma once

#if defined(__EMSCRIPTEN__) && defined(__SSE4_2__)

// What Eigen includes itself has to be there already, since it reads the compiler's name as well.
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

// Eigen's paths for this compiler are x86 assembly.
#undef __GNUC__
// Keeps clang's header of MMX out, which refuses every machine but x86; the emulation does without.
#define __MMINTRIN_H

#endif
