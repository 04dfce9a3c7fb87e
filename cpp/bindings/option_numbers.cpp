#include "bindings/option_numbers.h"

#include <type_traits>

namespace tied::bindings {
namespace {

// One list of the fields serves both ways, so that they cannot drift apart: each visit takes the next number for the
// field, or gives the field as the next number.
class Numbers {
 public:
  explicit Numbers(const double* from) : from_(from) {}
  explicit Numbers(std::vector<double>& to) : to_(&to) {}

  bool reads() const { return to_ == nullptr; }

  void visit(double& field) {
    if (reads()) {
      field = *from_++;
    } else {
      to_->push_back(field);
    }
  }
  // Whole numbers, choices and flags.
  template <class Field>
  void visit(Field& field) {
    double as_double = reads() ? 0 : number(static_cast<std::uint64_t>(field));
    visit(as_double);
    field = static_cast<Field>(whole(as_double));
  }

 private:
  const double* from_ = nullptr;
  std::vector<double>* to_ = nullptr;
};

// A field that is 0 for "the usual" is given as what that is.
void visit_or_default(Numbers& numbers, std::uint64_t& field, std::uint64_t usual) {
  if (!numbers.reads() && field == 0) field = usual;
  numbers.visit(field);
}

void visit_all(Numbers& numbers, ModelConfig& config) {
  numbers.visit(config.kind);
  numbers.visit(config.vocab_size);
  numbers.visit(config.d_model);
  numbers.visit(config.tying);
  numbers.visit(config.low_rank);
  numbers.visit(config.untie_at_step);
  numbers.visit(config.tie_at_step);
  numbers.visit(config.scales_embedding);
  numbers.visit(config.output_bias);
  numbers.visit(config.init_std);
  visit_or_default(numbers, config.d_feed_forward, config.feed_forward_width());
  numbers.visit(config.n_layers);
  numbers.visit(config.n_heads);
  visit_or_default(numbers, config.n_kv_heads, config.key_value_heads());
  numbers.visit(config.context_length);
  numbers.visit(config.norm);
  numbers.visit(config.norm_epsilon);
  numbers.visit(config.positions);
  numbers.visit(config.rotary_base);
  numbers.visit(config.feed_forward);
  numbers.visit(config.final_norm);
  numbers.visit(config.biases);
  numbers.visit(config.dropout);
}

void visit_all(Numbers& numbers, TrainingConfig& config) {
  numbers.visit(config.optimizer);
  numbers.visit(config.learning_rate);
  numbers.visit(config.warmup_steps);
  numbers.visit(config.decay);
  numbers.visit(config.total_steps);
  numbers.visit(config.final_learning_rate_fraction);
  numbers.visit(config.weight_decay);
  numbers.visit(config.gradient_clip);
  numbers.visit(config.momentum);
  numbers.visit(config.beta1);
  numbers.visit(config.beta2);
  numbers.visit(config.epsilon);
  numbers.visit(config.batch_size);
  numbers.visit(config.gradient_accumulation);
  numbers.visit(config.embedding_rate);
  numbers.visit(config.unembedding_rate);
  numbers.visit(config.inner_rate);
  numbers.visit(config.decays_embeddings);
  numbers.visit(config.seed);
  numbers.visit(config.init_seed);
  // Always the room of all points.
  numbers.visit(config.input_gradient_scale.n_points);
  for (InputGradientScale::Point& point : config.input_gradient_scale.points) numbers.visit(point.step);
  for (InputGradientScale::Point& point : config.input_gradient_scale.points) numbers.visit(point.value);
}

template <class Config>
Config config_at(Address address) {
  Numbers numbers(at<double>(address));
  Config config;
  visit_all(numbers, config);
  return config;
}

template <class Config>
void append_all(std::vector<double>& to, Config config) {
  Numbers numbers(to);
  visit_all(numbers, config);
}

}  // namespace

ModelConfig model_at(Address address) { return config_at<ModelConfig>(address); }
TrainingConfig training_at(Address address) { return config_at<TrainingConfig>(address); }

void append_numbers(std::vector<double>& numbers, const ModelConfig& config) { append_all(numbers, config); }
void append_numbers(std::vector<double>& numbers, const TrainingConfig& config) { append_all(numbers, config); }

}  // namespace tied::bindings
