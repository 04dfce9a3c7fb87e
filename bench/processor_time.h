#pragma once

namespace tied::bench {

// CPU time of this program in seconds. Other programs do not count, so ratios are meaningful even on a busy machine
// (except for caches and a core's second thread).
double processor_seconds();

}  // namespace tied::bench
