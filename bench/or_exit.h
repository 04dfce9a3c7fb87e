// For calls that cannot fail in a benchmark: a failure ends the program with the reason.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/error.h"

namespace tied::bench {

inline void exit_unless(const Status& status) {
  if (status) return;
  std::printf("%s\n", status.error().message().c_str());
  std::exit(1);
}

template <class Value>
Value value_or_exit(Result<Value> result) {
  if (!result) exit_unless(result.failure());
  return std::move(result).value();
}

}  // namespace tied::bench
