// The interface of a model for the trainer and all other users: parameters, loss with gradient, logits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "linalg/matrix_view.h"
#include "model/config.h"
#include "model/decoder.h"
#include "model/head.h"
#include "model/pair_model.h"
#include "model/parameter_store.h"
#include "model/token_batch.h"

namespace tied {

// Rows of a joint distribution of (token, next token): joint(i, j) = P(current = inputs[i], next = j).
template <class T>
struct JointBatch {
  const std::uint32_t* inputs = nullptr;  // [joint.rows], every id < vocab_size
  ConstMatrixView<T> joint;               // [rows, vocab_size], not negative; the loss is a mean if it sums to 1
  double label_smoothing = 0;             // see Targets
};

enum class Pass : std::uint8_t { kForward, kForwardBackward };

// T = float or double (in the tests). All memory is allocated at creation; the functions below allocate nothing.
template <class T>
class Model {
 public:
  virtual ~Model() = default;

  const ModelConfig& config() const { return config_; }
  ParameterStore<T>& parameters() { return parameters_; }
  const ParameterStore<T>& parameters() const { return parameters_; }

  // The interface of a model that reads pairs; null for all others. A model that reads pairs reads nothing else: none
  // of the functions below that take tokens may be called.
  virtual PairModel<T>* pairs() { return nullptr; }
  bool reads_pairs() const { return config_.is_encoder_decoder(); }

  // Tokens per sequence of a batch; 1 if each pair is independent.
  virtual std::size_t context_length() const { return 1; }

  // Mean cross-entropy of the batch in nats per token, times its weight; over the targets that count_sayable counts.
  // kForwardBackward adds (+=) the gradient to parameters().gradient and to position_gradient_square().
  virtual double loss(const TokenBatch& batch, Pass pass) = 0;

  // See Head.
  std::size_t count_sayable(const std::uint32_t* targets, std::size_t n) const {
    return head_->count_sayable(targets, n);
  }
  void set_temperature(double temperature) { head_->set_temperature(temperature); }

  // Whether the next token depends on the current one alone, so the loss over a joint table is exact.
  virtual bool reads_joint() const { return false; }
  // The expected loss sum_ij joint_ij (log sum_k exp(z_ik) - z_ij), in nats per token if the table sums to 1.
  virtual double joint_loss(const JointBatch<T>& batch, Pass pass) = 0;

  // out [n_inputs, vocab_size]: logits of the token after inputs[i]. With a context the inputs are one sequence,
  // n_inputs <= context_length. Their softmax is the head's distribution.
  // Layer `left_out`, if any, adds nothing to the residual stream. `resumes`: the layers below it are not computed
  // again; the previous call must have read the same tokens and left out no layer, or a later one.
  virtual void logits(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs,
                      std::size_t left_out = kNoLayer, bool resumes = false) = 0;

  // Number of hidden states: one before the first layer and one after each.
  virtual std::size_t n_hidden_states() const { return 1; }
  // out[i] [n_inputs, d_model], i < n_hidden_states: the hidden states of one sequence, before the final norm. If `out`
  // has one more, it gets what the head reads: the last state after the final norm, or after the MLP of a direct path.
  virtual void hidden_states(std::span<const MatrixView<T>> out, const std::uint32_t* inputs, std::size_t n_inputs) = 0;
  // out [n_layers * n_heads * n_inputs, n_inputs], rows in the order (layer, head, from): how much token `from` of one
  // sequence attends to each token; 0 for later tokens. A model without attention has no rows.
  virtual void attention(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) = 0;

  // Errors: kOutOfMemory.
  virtual Result<std::unique_ptr<Decoder<T>>> create_decoder() = 0;

  // Sum of squares of the gradient of each looked-up row (before scattering into the [vocab_size, d_model] matrix,
  // which sums rows of the same token), over all backward passes since zero_gradients().
  double position_gradient_square() const { return parameters_.position_square(); }
  void zero_gradients() { parameters_.zero_gradients(); }

 protected:
  explicit Model(const ModelConfig& config) : config_(config) {}

  // The weight of each target of a batch.
  double weight_of(const TokenBatch& batch) const {
    const std::size_t counted = count_sayable(batch.targets, batch.size);
    return counted == 0 ? 0 : batch.weight / static_cast<double>(counted);
  }

  std::unique_ptr<Head<T>> head_;

 private:
  ModelConfig config_;
  ParameterStore<T> parameters_;
};

// The parameter table of a valid `config`; allocates no values.
ParameterTable parameter_table(const ModelConfig& config);

// Workspace in elements (besides parameters and gradients) of the model of a valid `config`, for batches of at most
// `max_rows` rows.
std::uint64_t workspace_extent(const ModelConfig& config, std::uint64_t max_rows);

// Bytes of tables besides the workspace: those of the head.
std::uint64_t model_table_bytes(const ModelConfig& config, std::uint64_t max_rows);

// A model with the initial parameters of `init_seed`. `max_rows` is a hint, the largest expected batch, so that small
// batches take little memory; larger ones are processed in tiles.
// Errors: as validate(config); kOutOfMemory.
template <class T>
Result<std::unique_ptr<Model<T>>> create_model(const ModelConfig& config, std::uint64_t init_seed,
                                               std::uint64_t max_rows, const HeadTokens& tokens = {});

}  // namespace tied
