// Measures one case, together with the machine's peak rate in registers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "case.h"

namespace tied::bench {

class Measurer {
 public:
  explicit Measurer(std::vector<Case> cases);

  // All cases as JSON: [{"id", "operations", "items", "itemsName", "fresh"}, ...].
  std::string list() const;

  // Measures the machine's limit, then calls one case for at least `milliseconds` and at least once. As JSON:
  // {"seconds", "calls", "limit", "facts"?} with the seconds of all calls and the limit in operations per second, or
  // {"error"} for an unknown case.
  std::string measure(const std::string& id, double milliseconds);

 private:
  std::vector<Case> cases_;
  // The calls of prepared cases; empty functions elsewhere.
  std::vector<std::function<void()>> runs_;
};

}  // namespace tied::bench
