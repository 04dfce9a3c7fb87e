// Cases of tables as checkpoints store them.
#pragma once

#include <vector>

#include "case.h"

namespace tied::bench {

// "checkpoint/decode/<type>": 262,144 elements as floats; "checkpoint/copy": as many floats copied.
// "checkpoint/moments/tied/<V>x<d>": the sums over the rows of a table in BF16, decoded a block at a time;
// "checkpoint/moments/untied/<V>x<d>": of two in F16. "checkpoint/products/...": only their products, in double
// too; "checkpoint/products-in-float/...": in float. "memory/moments/tied/<V>x<d>": the memory of the first.
void add_checkpoints(std::vector<Case>& cases);

}  // namespace tied::bench
