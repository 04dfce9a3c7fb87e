// A case of the benchmark. Files by topic (matrix_products.cpp, training_steps.cpp, ...) add their cases to the list in
// cases.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tied::bench {

// A measured value that is not a time, such as bytes or a ratio.
struct Fact {
  std::string name;
  double value = 0;
};

struct Case {
  // Identifies the case in the tables of goals and in every contender, for instance "product/256x256x256/nn" or
  // "train/A".
  std::string id;
  // Floating-point operations per call, a product and a sum counting as two; 0 if there is no rate to report.
  double operations = 0;
  // Items per call, for instance 1024 tokens; 0 and "" if there is only one.
  double items = 0;
  std::string items_name;
  // Allocates and computes everything that a call needs, and returns the call. Called when the case is first measured,
  // not when cases are listed.
  std::function<std::function<void()>()> prepare;
  // False for cases with much memory: they are prepared for every measurement and freed after it.
  bool keep = true;
  // True if the memory itself is measured: each measurement then gets its own program or wasm instance.
  bool fresh = false;
  // Called after a measurement; may be empty.
  std::function<std::vector<Fact>()> facts = nullptr;
};

}  // namespace tied::bench
