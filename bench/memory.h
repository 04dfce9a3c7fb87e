// How much memory this program holds.
#pragma once

namespace tied::bench {

// The most that this program has had so far, in bytes: as wasm all that its instance has taken, which never shrinks;
// natively what was resident of it, the program itself included.
double most_bytes_held();

}  // namespace tied::bench
