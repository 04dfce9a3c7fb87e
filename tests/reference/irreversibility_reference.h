// Made by irreversibility_reference.py; not edited by hand.
// clang-format off
#pragma once

#include <cstddef>

namespace tied::reference {

struct Irreversibility {
  const char* name;
  std::size_t size;
  double counts[25];
  double js;
  double mutual_information;
  // JS of samples of the reversible chain: mean, standard deviation.
  double null_mean;
  double null_deviation;
};

inline constexpr std::size_t kIrreversibilityRuns = 4000;
inline constexpr Irreversibility kIrreversibility[] = {
  {"Sparse", 5, {0, 9, 0, 1, 0, 0, 2, 7, 0, 3, 5, 0, 0, 4, 0, 0, 1, 3, 0, 6, 4, 0, 0, 4, 1}, 0.421348881666431, 0.831350824322976,
   0.0589281905, 0.0345881046},
  {"Reversible", 4, {10, 40, 25, 5, 40, 0, 60, 15, 25, 60, 80, 30, 5, 15, 30, 20}, 0, 0.12811352746815,
   0.00336934032, 0.00271737068},
  {"Directed", 4, {2, 190, 8, 0, 0, 10, 150, 30, 180, 0, 5, 40, 20, 0, 60, 5}, 0.527956140286233, 0.80990907861424,
   0.00216508885, 0.00175777748},
};

}  // namespace tied::reference
