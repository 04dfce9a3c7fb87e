#include "training/step_record.h"

#include <cmath>

#include "linalg/reduce.h"

namespace tied {
namespace {

double share(double part, double other) { return part + other > 0 ? part / (part + other) : 0; }

// Drift from the mean of the starts a and b (the same pointer twice for a single start). 0 if nothing has moved;
// infinity if a zero start has.
template <class T>
double drift(ConstMatrixView<T> now, const T* a, const T* b) {
  const std::size_t size = now.rows * now.cols;
  double change = 0;
  double start_square = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double start = 0.5 * (static_cast<double>(a[i]) + static_cast<double>(b[i]));
    const double difference = static_cast<double>(now.data[i]) - start;
    change += difference * difference;
    start_square += start * start;
  }
  if (change == 0) return 0;
  return std::sqrt(change) / std::sqrt(a == b ? squared_norm(a, size) : start_square);
}

template <class T>
double role_norm(const ParameterStore<T>& parameters, ParameterRole role) {
  const Parameter& parameter = *parameters.table().of_role(role);
  const auto gradient = parameters.gradient(parameter);
  double square = 0;
  for (typename ParameterStore<T>::Run run; parameters.next_touched(run, parameter);) {
    square += squared_norm(gradient.data + run.first, run.size);
  }
  return std::sqrt(square);
}

}  // namespace

template <class T>
double input_share_of(const ParameterStore<T>& parameters) {
  return share(role_norm(parameters, ParameterRole::kInput), role_norm(parameters, ParameterRole::kOutput));
}

template <class T>
void record_roles(StepRecord& record, const Model<T>& model) {
  const ParameterStore<T>& parameters = model.parameters();
  const auto input = parameters.gradient(*parameters.table().of_role(ParameterRole::kInput));
  const auto output = parameters.gradient(*parameters.table().of_role(ParameterRole::kOutput));
  record.input_gradient_norm = role_norm(parameters, ParameterRole::kInput);
  record.output_gradient_norm = role_norm(parameters, ParameterRole::kOutput);
  if (model.reads_pairs()) record.encoder_gradient_norm = role_norm(parameters, ParameterRole::kEncoderInput);
  record.input_position_gradient_norm = std::sqrt(model.position_gradient_square());
  record.input_share = share(record.input_gradient_norm, record.output_gradient_norm);
  record.input_position_share = share(record.input_position_gradient_norm, record.output_gradient_norm);
  const double norms = record.input_gradient_norm * record.output_gradient_norm;
  record.gradient_cosine = norms > 0 ? dot(input.data, output.data, input.rows * input.cols) / norms : 0;
}

template <class T>
double gradient_norm(const ParameterStore<T>& parameters) {
  double square = 0;
  for (const Parameter& parameter : parameters.table().list()) {
    if (!parameter.owns_storage()) continue;
    const auto gradient = parameters.gradient(parameter);
    for (typename ParameterStore<T>::Run run; parameters.next_touched(run, parameter);) {
      square += squared_norm(gradient.data + run.first, run.size);
    }
  }
  return std::sqrt(square);
}

template <class T>
void record_drifts(StepRecord& record, const ParameterStore<T>& parameters, const AlignedBuffer<T>& start,
                   bool joined_at_start) {
  const ParameterTable& table = parameters.table();
  const Parameter& input = *table.of_role(ParameterRole::kInput);
  const Parameter& output = *table.of_role(ParameterRole::kOutput);
  const T* input_start = start.data() + input.own_offset;
  const T* output_start = start.data() + output.own_offset;
  if (output.partner == Parameter::kOwnStorage ? !output.owns_storage() : joined_at_start) output_start = input_start;
  if (output.owns_storage()) {
    record.embedding_drift = drift<T>(parameters.values(input), input_start, input_start);
    record.unembedding_drift = drift<T>(parameters.values(output), output_start, output_start);
  } else {
    record.embedding_drift = drift<T>(parameters.values(input), input_start, output_start);
    record.unembedding_drift = record.embedding_drift;
  }
  if (const Parameter* encoder = table.of_role(ParameterRole::kEncoderInput); encoder != nullptr) {
    const T* encoder_start = start.data() + encoder->offset;
    record.encoder_embedding_drift = drift<T>(parameters.values(*encoder), encoder_start, encoder_start);
  }
}

template double input_share_of(const ParameterStore<float>&);
template double input_share_of(const ParameterStore<double>&);
template void record_roles(StepRecord&, const Model<float>&);
template void record_roles(StepRecord&, const Model<double>&);
template double gradient_norm(const ParameterStore<float>&);
template double gradient_norm(const ParameterStore<double>&);
template void record_drifts(StepRecord&, const ParameterStore<float>&, const AlignedBuffer<float>&, bool);
template void record_drifts(StepRecord&, const ParameterStore<double>&, const AlignedBuffer<double>&, bool);

}  // namespace tied
