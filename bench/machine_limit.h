// What the machine can do at most, measured in the same run as what is compared with it.
#pragma once

namespace tied::bench {

// Multiply-adds in 128-bit registers alone, as the build's own kernels do them (a product and a sum each, or one
// relaxed multiply-add); no memory. They run in several chains that do not wait for each other: enough to hide the
// latency, few enough for 16 registers. Which number is best depends on the processor, so there are several to try.
int number_of_chain_counts();

// Returns a number that depends on every operation, so that none can be left out. `choice` is one of the numbers of
// chains, from 0.
float multiply_adds(int choice);

// Floating-point operations of one call of multiply_adds, a product and a sum counting as two.
double operations_of_multiply_adds(int choice);

}  // namespace tied::bench
