// Measures one case, and beside it what the machine reaches in registers.
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

  // Calls one case for at least so many milliseconds, and at least once, after the limit of the machine. As JSON:
  // {"seconds", "calls", "limit", "facts"?}: seconds of all calls, the limit in operations a second, or {"error"} where
  // there is no such case.
  std::string measure(const std::string& id, double milliseconds);

 private:
  std::vector<Case> cases_;
  // What does one call, of the cases that have been prepared; empty functions elsewhere.
  std::vector<std::function<void()>> runs_;
};

}  // namespace tied::bench
