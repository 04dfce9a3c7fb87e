// Measures of the tables of trained models: of each by itself, and of an untied model's tables compared with that of a
// tied model.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "linalg/matrix_view.h"

namespace tied::experiments {

// The tables of a model after training; the same one twice if it is tied.
struct Tables {
  std::string variant;
  bool is_tied = false;
  Matrix<float> input;   // [V, d]
  Matrix<float> output;  // [V, d]
};

using Print = std::function<void(const std::string& quantity, double value)>;

// Isotropy and norms of each table. counts [V]: how often each token occurs in the training text.
Status measure_tables(const Tables& tables, const std::vector<std::uint32_t>& counts, const Print& print);

// How closely the two tables of an untied model agree with each other.
Status compare_with_itself(const Tables& untied, const Print& print);

// How closely the two tables of an untied model agree with the table of a tied model.
Status compare_with_tied(const Tables& untied, const Tables& tied, const Print& print);

}  // namespace tied::experiments
