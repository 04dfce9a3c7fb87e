#include "training/step_record.h"

#include <cmath>

#include "linalg/reduce.h"

namespace tied {
namespace {

double share(double part, double other) { return part + other > 0 ? part / (part + other) : 0; }

// Sums of squares: of the changes from the mean of the starts a and b (the same pointer twice for a single start), and
// of that mean.
struct Drift {
  double change = 0;
  double start = 0;

  // 0 if nothing has moved; infinity if a zero start has.
  double value() const { return change == 0 ? 0 : std::sqrt(change) / std::sqrt(start); }
};

template <class T>
Drift drift(ConstMatrixView<T> now, const T* a, const T* b) {
  const std::size_t size = now.rows * now.cols;
  Drift sum;
  for (std::size_t i = 0; i < size; ++i) {
    const double start = 0.5 * (static_cast<double>(a[i]) + static_cast<double>(b[i]));
    const double difference = static_cast<double>(now.data[i]) - start;
    sum.change += difference * difference;
    sum.start += start * start;
  }
  if (a == b) sum.start = squared_norm(a, size);
  return sum;
}

// The sum with the squares of a gradient's touched rows.
template <class T>
double add_touched(double square, const ParameterStore<T>& parameters, const Parameter& parameter) {
  const auto gradient = parameters.gradient(parameter);
  for (typename ParameterStore<T>::Run run; parameters.next_touched(run, parameter);) {
    square += squared_norm(gradient.data + run.first, run.size);
  }
  return square;
}

// Calls visit for the cluster tables of an untied adaptive head, which it has in addition to the first table of the
// role.
template <class Visitor>
void for_each_tail(const ParameterTable& table, ParameterRole role, Visitor&& visit) {
  if (role != ParameterRole::kOutput) return;
  const Parameter* const first = table.of_role(role);
  for (const Parameter& parameter : table.list()) {
    if (&parameter != first && parameter.role == role && parameter.sparse) visit(parameter);
  }
}

template <class T>
double role_norm(const ParameterStore<T>& parameters, ParameterRole role) {
  double square = add_touched(0, parameters, *parameters.table().of_role(role));
  for_each_tail(parameters.table(), role,
                [&](const Parameter& tail) { square = add_touched(square, parameters, tail); });
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
  if (const Parameter* third = parameters.table().third(); third != nullptr) {
    record.third_gradient_norm = std::sqrt(add_touched(0, parameters, *third));
  }
  record.input_position_gradient_norm = std::sqrt(model.position_gradient_square());
  record.input_share = share(record.input_gradient_norm, record.output_gradient_norm);
  record.input_position_share = share(record.input_position_gradient_norm, record.output_gradient_norm);
  const double norms = record.input_gradient_norm * record.output_gradient_norm;
  const bool comparable = input.rows == output.rows;
  record.gradient_cosine = norms > 0 && comparable ? dot(input.data, output.data, input.rows * input.cols) / norms : 0;
}

template <class T>
double gradient_norm(const ParameterStore<T>& parameters) {
  double square = 0;
  for (const Parameter& parameter : parameters.table().list()) {
    if (parameter.owns_storage()) square = add_touched(square, parameters, parameter);
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
    record.embedding_drift = drift<T>(parameters.values(input), input_start, input_start).value();
    Drift sum = drift<T>(parameters.values(output), output_start, output_start);
    for_each_tail(table, ParameterRole::kOutput, [&](const Parameter& tail) {
      const T* tail_start = start.data() + tail.offset;
      const Drift more = drift<T>(parameters.values(tail), tail_start, tail_start);
      sum = {sum.change + more.change, sum.start + more.start};
    });
    record.unembedding_drift = sum.value();
  } else {
    record.embedding_drift = drift<T>(parameters.values(input), input_start, output_start).value();
    record.unembedding_drift = record.embedding_drift;
  }
  if (const Parameter* third = table.third(); third != nullptr) {
    const T* third_start = start.data() + third->offset;
    record.third_drift = third->offset == input.offset
                             ? record.embedding_drift
                             : drift<T>(parameters.values(*third), third_start, third_start).value();
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
