// The peak rate of the machine, measured in the same run as the results that it is compared with.
#pragma once

namespace tied::bench {

// Multiply-adds in 128-bit registers, without memory, as the build's kernels do them: a product and a sum each, or one
// relaxed multiply-add. They run in independent chains, enough to hide the latency and few enough for 16 registers. The
// best number of chains depends on the processor, so there are several choices.
int number_of_chain_counts();

// Returns a value that depends on every operation, so that none can be removed. `choice`: index of the number of
// chains.
float multiply_adds(int choice);

// Floating-point operations of one call of multiply_adds, a product and a sum counting as two.
double operations_of_multiply_adds(int choice);

}  // namespace tied::bench
