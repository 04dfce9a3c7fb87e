#include "cases.h"

#include "checkpoints.h"
#include "decompositions.h"
#include "diagnostics.h"
#include "head_steps.h"
#include "matrix_products.h"
#include "paths.h"
#include "readouts.h"
#include "texts.h"
#include "training_steps.h"

namespace tied::bench {

// One line per topic: `add_<topic>(cases)` of bench/<topic>.cpp.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  add_matrix_products(cases);
  add_training_steps(cases);
  add_head_steps(cases);
  add_decompositions(cases);
  add_singular_value_decompositions(cases);
  add_symmetry(cases);
  add_diagnostics(cases);
  add_readouts(cases);
  add_paths(cases);
  add_texts(cases);
  add_checkpoints(cases);
  return cases;
}

}  // namespace tied::bench
