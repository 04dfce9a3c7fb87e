#pragma once

namespace tied::bench {

// Seconds that the processor has worked for this program so far. What other programs take in between does not count, so
// that shares mean something on a machine that is not idle (but for caches and a core's second thread).
double processor_seconds();

}  // namespace tied::bench
