// AdamW, coupled AdamW, SGD and Muon over a parameter table.
#pragma once

#include <cstdint>

#include "model/parameter_store.h"
#include "training/training_config.h"

namespace tied {

// Values of optimizer state per parameter: 2 for AdamW and Muon, 1 for SGD with momentum, 0 for plain SGD.
std::uint64_t optimizer_state_factor(const TrainingConfig& config);

// Whether the rows of this table share their second moments.
bool shares_second_moments(const TrainingConfig& config, const Parameter& parameter);

// Whether Muon trains this parameter: a linear map of a layer.
bool trains_by_muon(const TrainingConfig& config, const Parameter& parameter);

// Elements of workspace for the largest map that Muon trains.
std::uint64_t muon_workspace(const TrainingConfig& config, const ParameterTable& table);

// Factor of the learning rate for this parameter in the step after `steps_done` steps. A matrix with both roles counts
// as an embedding.
double rate_multiplier(const TrainingConfig& config, const Parameter& parameter, std::uint64_t steps_done);
// Weight decay of this parameter.
double weight_decay_of(const TrainingConfig& config, const Parameter& parameter);

// As in PyTorch's AdamW and SGD (momentum without dampening), except that SGD's weight decay is decoupled as well:
//   w <- w - rate * (velocity + weight_decay * w)
// Muon trains maps that are stored as one, such as those to queries, keys and values, each by itself.
//
// Only the touched rows of a sparse parameter are updated, as in PyTorch's SparseAdam (lazy). This differs from the
// dense optimizer if a step does not touch a row: its moments do not fade, and it neither moves by them nor decays.
// Bias corrections count all steps. A row that every step touches gets the same bits as in the dense optimizer.
template <class T>
class Optimizer {
 public:
  Optimizer() = default;

  // Allocates state and workspace for this table. Errors: kOutOfMemory.
  Status allocate(const TrainingConfig& config, const ParameterTable& table);

  // Updates every parameter that owns storage from its gradient times `gradient_scale` (clipping), after
  // ParameterStore::combine_gradients.
  void update(ParameterStore<T>& parameters, std::uint64_t steps_done, double gradient_scale);

  // AdamW: first moments, then second moments; SGD: velocities; Muon: of maps its momentum in place of the first
  // moments. In the layout of the parameters' values. The second moments that the rows of a table share are in its
  // first row.
  AlignedBuffer<T>& state() { return state_; }
  const AlignedBuffer<T>& state() const { return state_; }

 private:
  TrainingConfig config_;
  AlignedBuffer<T> state_;
  AlignedBuffer<T> workspace_;
};

}  // namespace tied
