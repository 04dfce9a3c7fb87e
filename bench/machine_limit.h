// What the machine can do at most, measured in the same run as what is compared with it.
#pragma once

namespace tied::bench {

// Multiply-adds in 128-bit registers alone, each a product and a sum of its own as everywhere in the core; no memory.
// Returns a number that depends on every operation, so that none can be left out.
float multiply_adds(int repetitions);

// Floating-point operations of one repetition.
double operations_of_repetition();

}  // namespace tied::bench
