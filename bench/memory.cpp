#include "memory.h"

#ifdef __EMSCRIPTEN__

double tied::bench::most_bytes_held() { return 65536.0 * static_cast<double>(__builtin_wasm_memory_size(0)); }

#else
#include <sys/resource.h>

double tied::bench::most_bytes_held() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  constexpr double kUnit = 1;
#else
  constexpr double kUnit = 1024;
#endif
  return kUnit * static_cast<double>(usage.ru_maxrss);
}
#endif
