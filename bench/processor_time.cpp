#include "processor_time.h"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>

// All of Emscripten's clocks give the time of day; the CPU time comes from Node.
EM_JS(double, node_processor_seconds, (), {
  if (!globalThis.process) return performance.now() / 1e3;
  const used = process.cpuUsage();
  return (used.user + used.system) / 1e6;
});

double tied::bench::processor_seconds() { return node_processor_seconds(); }

#else
#include <ctime>

double tied::bench::processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
#endif
