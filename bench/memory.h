// Memory use of this program.
#pragma once

namespace tied::bench {

// Peak memory in bytes: as wasm the size of the instance's memory, which never shrinks; natively the resident memory,
// including the program.
double most_bytes_held();

}  // namespace tied::bench
