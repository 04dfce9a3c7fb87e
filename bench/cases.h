// The list of all cases.
#pragma once

#include <vector>

#include "case.h"

namespace tied::bench {

std::vector<Case> all_cases();

}  // namespace tied::bench
