// What one step tells of itself.
#pragma once

#include <cstdint>

#include "model/model.h"

namespace tied {

struct StepRecord {
  std::uint64_t step = 0;           // 1 after the first step
  double loss = 0;                  // of this step's batches, before its update, nats per token
  double input_gradient_norm = 0;   // ||.||_F of the gradient through reading, [V, d], before input_gradient_scale
  double output_gradient_norm = 0;  // ||.||_F of the gradient through writing, [V, d]
  double input_share = 0;           // input / (input + output); 0 where both are
  // The norm of the input part before it is scattered, [tokens, d]: rows of one token have not been added up.
  double input_position_gradient_norm = 0;
  double input_position_share = 0;  // input_position / (input_position + output)
  double gradient_cosine = 0;       // between the input and the output part, both [V, d]; 0 where one is zero
  double gradient_norm = 0;         // of all parameters, after input_gradient_scale and before clipping
  // ||W - W_start||_F / ||W_start||_F after the update, of the matrix in use. One that was split off began with what
  // the one matrix began with; one that was joined is measured against the mean of both starts, so that it tells how
  // far training has moved it and not the leap of joining.
  double embedding_drift = 0;
  double unembedding_drift = 0;  // the same of the matrix that writes
};

// Fills in what is known of the gradients by role: after all backward passes, before they are combined.
template <class T>
void record_roles(StepRecord& record, const Model<T>& model);

// Norm of the gradient of all parameters, after they are combined.
template <class T>
double gradient_norm(const ParameterStore<T>& parameters);

// Fills in the drifts; `start`: values before any step, of a model that was `joined_at_start` if it can be joined.
template <class T>
void record_drifts(StepRecord& record, const ParameterStore<T>& parameters, const AlignedBuffer<T>& start,
                   bool joined_at_start);

}  // namespace tied
