// What a case of the benchmark is. Cases are written in files by topic (matrix_products.cpp, training_steps.cpp, ...),
// each of which adds its own to the list in cases.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tied::bench {

// A number that is not a time: of bytes, of a ratio.
struct Fact {
  std::string name;
  double value = 0;
};

struct Case {
  // Its name in the tables of goals and in every contender, for instance "product/256x256x256/nn" or "train/A".
  std::string id;
  // Floating-point operations of one call, a product and a sum counting as two; 0 where there is nothing to divide by.
  double operations = 0;
  // What one call gets through, for instance 1024 tokens; 0 and "" where it is one thing.
  double items = 0;
  std::string items_name;
  // Makes everything that one call needs, and returns what does one call. It is asked for when the case is first
  // measured, never for the list alone.
  std::function<std::function<void()>()> prepare;
  // False where so much memory is held that it is made anew for every measurement, and given back after it.
  bool keep = true;
  // True where the memory that is held counts: each measurement then has a program (or an instance of the wasm) of its
  // own.
  bool fresh = false;
  // Asked for after a measurement; may be empty.
  std::function<std::vector<Fact>()> facts = nullptr;
};

}  // namespace tied::bench
