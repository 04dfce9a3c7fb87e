#include "training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/allocate.h"
#include "linalg/muon.h"
#include "linalg/optimizer_kernels.h"
#include "training/schedule.h"

namespace tied {
namespace {

// Of a map [rows, cols], for Muon.
double update_scale(MuonScale scale, std::size_t rows, std::size_t cols) {
  const auto [out, in] = std::pair(static_cast<double>(rows), static_cast<double>(cols));
  return scale == MuonScale::kOriginal ? std::sqrt(std::max(1.0, out / in)) : 0.2 * std::sqrt(std::max(out, in));
}

// The numbers of rows of the maps that `parameter` consists of, one after the other; nothing for other parameters.
template <class Visitor>
void for_each_map(const Parameter& parameter, Visitor&& visit) {
  std::uint64_t first = 0;
  for (const std::uint64_t end : parameter.part_ends) {
    if (end == 0) break;
    visit(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
    first = end;
  }
}

}  // namespace

std::uint64_t optimizer_state_factor(const TrainingConfig& config) {
  if (config.optimizer != OptimizerKind::kSgd) return 2;
  return config.momentum > 0 ? 1 : 0;
}

bool shares_second_moments(const TrainingConfig& config, const Parameter& parameter) {
  if (parameter.is_factor) return false;
  return config.optimizer == OptimizerKind::kCoupledAdamW && parameter.role != ParameterRole::kInner;
}

bool trains_by_muon(const TrainingConfig& config, const Parameter& parameter) {
  return config.optimizer == OptimizerKind::kMuon && parameter.is_layer_map();
}

std::uint64_t muon_workspace(const TrainingConfig& config, const ParameterTable& table) {
  std::uint64_t most = 0;
  for (const Parameter& parameter : table.list()) {
    if (!trains_by_muon(config, parameter)) continue;
    for_each_map(parameter,
                 [&](std::size_t, std::size_t rows) { most = std::max(most, muon_extent(rows, parameter.cols)); });
  }
  return most;
}

double rate_multiplier(const TrainingConfig& config, const Parameter& parameter, std::uint64_t steps_done) {
  if (reads_tokens(parameter.role)) return config.embedding_rate.at(steps_done);
  return (parameter.role == ParameterRole::kOutput ? config.unembedding_rate : config.inner_rate).at(steps_done);
}

double weight_decay_of(const TrainingConfig& config, const Parameter& parameter) {
  const bool embeds = parameter.embeds || parameter.role != ParameterRole::kInner;
  return parameter.decays && (config.decays_embeddings || !embeds) ? config.weight_decay : 0;
}

template <class T>
Status Optimizer<T>::allocate(const TrainingConfig& config, const ParameterTable& table) {
  config_ = config;
  if (Status status = tied::allocate(workspace_, muon_workspace(config, table)); !status) return status;
  return tied::allocate(state_, optimizer_state_factor(config) * table.value_extent());
}

template <class T>
void Optimizer<T>::update(ParameterStore<T>& parameters, std::uint64_t steps_done, double gradient_scale) {
  const double common_rate = learning_rate_at(config_, config_.learning_rate, steps_done);
  const double muon_rate =
      config_.muon_learning_rate == 0 ? common_rate : learning_rate_at(config_, config_.muon_learning_rate, steps_done);
  const double correction1 = 1 - integer_power(config_.beta1, steps_done + 1);
  const double correction2 = 1 - integer_power(config_.beta2, steps_done + 1);
  const std::size_t extent = static_cast<std::size_t>(parameters.table().value_extent());
  for (const Parameter& parameter : parameters.table().list()) {
    if (!parameter.owns_storage()) continue;
    const MatrixView<T> values = parameters.values(parameter);
    const MatrixView<T> gradient = parameters.gradient(parameter);
    const std::size_t offset = static_cast<std::size_t>(parameter.offset);
    const bool by_muon = trains_by_muon(config_, parameter);
    const double rate = (by_muon ? muon_rate : common_rate) * rate_multiplier(config_, parameter, steps_done);
    const double weight_decay = weight_decay_of(config_, parameter);
    if (by_muon) {
      for_each_map(parameter, [&](std::size_t first, std::size_t rows) {
        const std::size_t begin = first * values.cols;
        muon_update(values.data + begin, state_.data() + offset + begin, gradient.data + begin, rows, values.cols, rate,
                    config_.momentum, weight_decay, update_scale(config_.muon_scale, rows, values.cols), gradient_scale,
                    workspace_.data());
      });
      continue;
    }
    if (shares_second_moments(config_, parameter)) {
      // All rows at once, touched or not: they share their second moments.
      coupled_adamw_update(values.data, state_.data() + offset, state_.data() + extent + offset, gradient.data,
                           values.rows, values.cols, rate, config_.beta1, config_.beta2, config_.epsilon, weight_decay,
                           correction1, correction2, gradient_scale);
      continue;
    }
    for (typename ParameterStore<T>::Run run; parameters.next_touched(run, parameter);) {
      const auto& [first, size] = run;
      // SGD without momentum has no state.
      T* state = state_.size() == 0 ? nullptr : state_.data() + offset + first;
      if (config_.optimizer != OptimizerKind::kSgd) {
        adamw_update(values.data + first, state, state + extent, gradient.data + first, size, rate, config_.beta1,
                     config_.beta2, config_.epsilon, weight_decay, correction1, correction2, gradient_scale);
      } else {
        sgd_update(values.data + first, state, gradient.data + first, size, rate, config_.momentum, weight_decay,
                   gradient_scale);
      }
    }
  }
}

template class Optimizer<float>;
template class Optimizer<double>;

}  // namespace tied
