#pragma once

namespace tied::bench {

// Processor time of this program in seconds. Other programs do not count, so ratios are meaningful on a machine that is
// not idle (except for caches and a core's second thread).
double processor_seconds();

}  // namespace tied::bench
