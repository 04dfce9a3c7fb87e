// What the trainer and everybody else need to know of a model: parameters, loss with gradient, logits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "linalg/matrix_view.h"
#include "model/config.h"
#include "model/decoder.h"
#include "model/parameter_store.h"

namespace tied {

// targets[i] follows inputs[i]; every id < vocab_size. A model with a context reads `size` as a whole number of
// sequences of `sequence_length` tokens each, one after the other.
struct TokenBatch {
  const std::uint32_t* inputs = nullptr;   // [size]
  const std::uint32_t* targets = nullptr;  // [size]
  std::size_t size = 0;
  // At most the model's context_length; 0 = exactly that. Divides size.
  std::size_t sequence_length = 0;
  // Multiplies loss and gradient: a share of a step that is done in several batches.
  double weight = 1;
  // Names the random numbers of dropout, a different one for each batch of each step; 0 = nothing is dropped.
  std::uint64_t dropout_key = 0;
};

// Rows of a joint distribution of (token, next token): joint(i, j) = P(current = inputs[i], next = j).
template <class T>
struct JointBatch {
  const std::uint32_t* inputs = nullptr;  // [joint.rows], every id < vocab_size
  ConstMatrixView<T> joint;               // [rows, vocab_size], not negative, summing to 1 over all rows for a mean
};

enum class Pass { kForward, kForwardBackward };

// T = float or double (the tests' twin). All memory is taken at creation; the verbs below allocate nothing.
template <class T>
class Model {
 public:
  virtual ~Model() = default;

  const ModelConfig& config() const { return config_; }
  ParameterStore<T>& parameters() { return parameters_; }
  const ParameterStore<T>& parameters() const { return parameters_; }

  // Tokens that belong together in a batch; 1 where each pair stands alone.
  virtual std::size_t context_length() const { return 1; }

  // Mean cross-entropy of the batch in nats per token, times its weight. kForwardBackward adds (+=) the gradient to
  // parameters().gradient, and to position_gradient_square().
  virtual double loss(const TokenBatch& batch, Pass pass) = 0;

  // Whether the next token depends on the current one alone, so that the loss over a joint table is exact.
  virtual bool reads_joint() const { return false; }
  // sum_ij joint_ij (log sum_k exp(z_ik) - z_ij): the expected loss, in nats per token where the table sums to 1.
  virtual double joint_loss(const JointBatch<T>& batch, Pass pass) = 0;

  // out [n_inputs, vocab_size]: logits of the token that follows inputs[i]. With a context the inputs are one sequence,
  // n_inputs <= context_length.
  virtual void logits(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) = 0;

  // States of the residual stream that hidden_states gives: one before the first layer and one after each.
  virtual std::size_t n_hidden_states() const { return 1; }
  // out[i] [n_inputs, d_model], i < n_hidden_states: of one sequence, before the final norm.
  virtual void hidden_states(std::span<const MatrixView<T>> out, const std::uint32_t* inputs, std::size_t n_inputs) = 0;
  // out [n_layers * n_heads * n_inputs, n_inputs], rows in the order (layer, head, from): how much token `from` of one
  // sequence looks at each token; 0 for those after it. A model without attention has no rows.
  virtual void attention(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) = 0;

  // Errors: kOutOfMemory.
  virtual Result<std::unique_ptr<Decoder<T>>> create_decoder() = 0;

  // Sum of squares of the gradient of each looked-up row (before it is scattered into the [vocab_size, d_model] matrix,
  // where rows of the same token add up), over all backward passes since zero_gradients().
  double position_gradient_square() const { return position_gradient_square_; }
  void zero_gradients() {
    parameters_.zero_gradients();
    position_gradient_square_ = 0;
  }

 protected:
  explicit Model(const ModelConfig& config) : config_(config) {}

  double position_gradient_square_ = 0;

 private:
  ModelConfig config_;
  ParameterStore<T> parameters_;
};

// The table of the parameters that a valid `config` has; takes no memory for their values.
ParameterTable parameter_table(const ModelConfig& config);

// Numbers of working memory (beside parameters and gradients) that the model of a valid `config` takes, for batches of
// at most `max_rows` rows.
std::uint64_t workspace_extent(const ModelConfig& config, std::uint64_t max_rows);

// A model with its parameters at the start that `init_seed` gives. `max_rows` is a hint: the largest batch expected, so
// that small batches take little memory; larger ones work all the same, in tiles.
// Errors: kInvalidArgument as validate(config); kOutOfMemory.
template <class T>
Result<std::unique_ptr<Model<T>>> create_model(const ModelConfig& config, std::uint64_t init_seed,
                                               std::uint64_t max_rows);

}  // namespace tied
