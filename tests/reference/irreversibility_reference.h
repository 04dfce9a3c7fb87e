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
  double net_flow[25];
};

// Sparse, held out: 0.298055826001624
// Reversible, held out: -0.0132602319754747
// Directed, held out: 0.522192834399135
inline constexpr std::size_t kIrreversibilityRuns = 4000;
inline constexpr Irreversibility kIrreversibility[] = {
  {"Sparse", 5, {0, 9, 0, 1, 0, 0, 2, 7, 0, 3, 5, 0, 0, 4, 0, 0, 1, 3, 0, 6, 4, 0, 0, 4, 1}, 0.421348881666431, 0.831350824322976,
   0.0589281905, 0.0345881046,
   {0, 0.18, -0.1, 0.02, -0.08, -0.18, 0, 0.14, -0.02, 0.06, 0.1, -0.14, 0, 0.02, 0, -0.02, 0.02, -0.02, 0, 0.04, 0.08, -0.06, 0, -0.04, 0}},
  {"Reversible", 4, {10, 40, 25, 5, 40, 0, 60, 15, 25, 60, 80, 30, 5, 15, 30, 20}, 0, 0.12811352746815,
   0.00336934032, 0.00271737068,
   {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
  {"Directed", 4, {2, 190, 8, 0, 0, 10, 150, 30, 180, 0, 5, 40, 20, 0, 60, 5}, 0.527956140286233, 0.80990907861424,
   0.00216508885, 0.00175777748,
   {0, 0.271428571428571, -0.245714285714286, -0.0285714285714286, -0.271428571428571, 0, 0.214285714285714, 0.0428571428571429, 0.245714285714286, -0.214285714285714, 0, -0.0285714285714286, 0.0285714285714286, -0.0428571428571429, 0.0285714285714286, 0}},
};

}  // namespace tied::reference
