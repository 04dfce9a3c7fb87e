// Measurements of one training step.
#pragma once

#include <cstdint>

#include "base/record.h"
#include "model/model.h"

namespace tied {

struct StepRecord {
  std::uint64_t step = 0;           // 1 after the first step
  double loss = 0;                  // of this step's batches, before its update, nats per token
  double input_gradient_norm = 0;   // ||.||_F of the input part of the gradient, [V, d], before input_gradient_scale
  double output_gradient_norm = 0;  // ||.||_F of the output part of the gradient, [V, d], before output_gradient_scale
  double input_share = 0;           // input / (input + output); 0 if both are 0
  // Norm of the input part before scattering, [tokens, d]: positions of the same token are not summed.
  double input_position_gradient_norm = 0;
  double input_position_share = 0;  // input_position / (input_position + output)
  double gradient_cosine = 0;       // between the input and the output part, both [V, d]; 0 if one is zero or the
                                    // output table has another shape (an untied adaptive head)
  double gradient_norm = 0;         // of all parameters, after both scales and before clipping
  // ||W - W_start||_F / ||W_start||_F after the update, for the matrix in use. After untying, both matrices start from
  // the shared one. After tying, the start is the mean of both, so the drift measures training and not the jump.
  double embedding_drift = 0;
  double unembedding_drift = 0;  // the same for the output embedding
  // The same norm and drift of the table in its third role; 0 without one.
  double third_gradient_norm = 0;
  double third_drift = 0;

  using Answered =
      Record<&StepRecord::step, &StepRecord::loss, &StepRecord::input_gradient_norm, &StepRecord::output_gradient_norm,
             &StepRecord::input_share, &StepRecord::input_position_gradient_norm, &StepRecord::input_position_share,
             &StepRecord::gradient_cosine, &StepRecord::gradient_norm, &StepRecord::embedding_drift,
             &StepRecord::unembedding_drift, &StepRecord::third_gradient_norm, &StepRecord::third_drift>;
};

// The input_share of a record, from the gradients by role before they are combined.
template <class T>
double input_share_of(const ParameterStore<T>& parameters);

// Fills in the fields by role: after all backward passes, before the gradients are combined.
template <class T>
void record_roles(StepRecord& record, const Model<T>& model);

// Norm of the gradient of all parameters, after it is combined.
template <class T>
double gradient_norm(const ParameterStore<T>& parameters);

// Fills in the drifts. `start`: values before any step, of a model that was `joined_at_start` if its tying can change.
template <class T>
void record_drifts(StepRecord& record, const ParameterStore<T>& parameters, const AlignedBuffer<T>& start,
                   bool joined_at_start);

}  // namespace tied
