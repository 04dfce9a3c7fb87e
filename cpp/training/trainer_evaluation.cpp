// Losses and gradients of a trainer's model without a step.
#include <cmath>

#include "base/token_ids.h"
#include "linalg/reduce.h"
#include "model/masking.h"
#include "training/trainer.h"

namespace tied {

namespace {

// Matrices can hold any finite value, and the products of the largest overflow.
Status not_finite(double loss) {
  return make_error(ErrorCode::kNotFinite, "loss", loss, "a finite loss and gradient: smaller values in the matrices");
}

Result<Evaluation> finite(Evaluation evaluation) {
  if (!std::isfinite(evaluation.loss)) return not_finite(evaluation.loss);
  return evaluation;
}

template <class T>
Result<Evaluation> evaluate_ids(Model<T>& model, const std::uint32_t* token_ids, std::size_t n_token_ids) {
  if (!model.config().is_masked()) return finite(evaluate_stream(model, token_ids, n_token_ids));
  auto made = evaluate_hidden(model, token_ids, n_token_ids);
  if (!made) return made;
  return finite(made.value());
}

}  // namespace

template <class T>
Result<Evaluation> Trainer<T>::evaluate() {
  if (Status status = check_has_data(); !status) return status;
  if (data_.has_table()) return finite(evaluate_table(*model_, data_.table));
  if (model_->reads_pairs()) {
    auto made = evaluate_pairs(evaluation_pairs(), 0, evaluation_pairs().size(), false);
    if (!made) return made.failure();
    return evaluation_of(made.value());
  }
  const AlignedBuffer<std::uint32_t>& ids =
      data_.validation_token_ids.size() != 0 ? data_.validation_token_ids : data_.token_ids;
  return evaluate_ids(*model_, ids.data(), ids.size());
}

template <class T>
Result<PairEvaluation> Trainer<T>::evaluate_pairs(const Pairs& pairs, std::size_t first, std::size_t count,
                                                  bool translates) {
  if (Status status = check_reads(true); !status) return status;
  auto made = tied::evaluate_pairs(*model_, pairs, first, count, translates);
  if (made && !std::isfinite(made.value().loss)) return not_finite(made.value().loss);
  return made;
}

template <class T>
Result<GradientLedger<T>> Trainer<T>::gradient(const Pairs& pairs) {
  if (Status status = check_reads(true); !status) return status;
  PairBatcher batcher;
  if (Status status = batcher.allocate(pairs.size(), model_config()); !status) return status;
  for (std::size_t i = 0; i < pairs.size(); ++i) batcher.add(pairs, i);
  model_->zero_gradients();
  PairBatch batch = batcher.batch();
  batch.label_smoothing = training_.label_smoothing;
  return ledger(model_->pairs()->loss(batch, Pass::kForwardBackward));
}

template <class T>
Result<Evaluation> Trainer<T>::evaluate(const std::uint32_t* token_ids, std::size_t n_token_ids) {
  if (Status status = check_reads(false); !status) return status;
  if (n_token_ids < 2) {
    return make_error(ErrorCode::kInvalidArgument, "token_ids.length", n_token_ids, "at least two tokens");
  }
  if (Status status = check_token_ids("token_ids", {token_ids, n_token_ids}, model_config().vocab_size); !status) {
    return status;
  }
  return evaluate_ids(*model_, token_ids, n_token_ids);
}

template <class T>
Result<GradientLedger<T>> Trainer<T>::gradient() {
  if (Status status = check_has_data(); !status) return status;
  return ledger(forward_backward());
}

template <class T>
Result<GradientLedger<T>> Trainer<T>::gradient(const TokenBatch& batch) {
  if (Status status = check_reads(false); !status) return status;
  if (model_config().is_masked()) return reads_both_sides();
  auto checked = checked_batch(*model_, batch);
  if (!checked) return checked.failure();
  model_->zero_gradients();
  TokenBatch given = checked.value();
  as_in_training(given, 0);
  ParameterStore<T>& parameters = model_->parameters();
  parameters.set_tables_alone(true);
  const double loss = model_->loss(given, Pass::kForwardBackward);
  parameters.set_tables_alone(false);
  return ledger(loss);
}

// The ledger of the gradients that the last pass left, whose loss was `loss`.
template <class T>
Result<GradientLedger<T>> Trainer<T>::ledger(double loss) {
  auto made = gradient_ledger(model_->parameters(), training_.input_gradient_scale.at(steps_done_),
                              training_.output_gradient_scale.at(steps_done_));
  if (!made) return made;
  made.value().input_position_norm = std::sqrt(model_->position_gradient_square());
  const Matrix<T>& total = made.value().total;
  if (!std::isfinite(loss) || !all_finite(total.data(), total.rows() * total.cols())) return not_finite(loss);
  return made;
}

template Result<Evaluation> Trainer<float>::evaluate();
template Result<Evaluation> Trainer<float>::evaluate(const std::uint32_t*, std::size_t);
template Result<PairEvaluation> Trainer<float>::evaluate_pairs(const Pairs&, std::size_t, std::size_t, bool);
template Result<GradientLedger<float>> Trainer<float>::gradient();
template Result<GradientLedger<float>> Trainer<float>::gradient(const Pairs&);
template Result<GradientLedger<float>> Trainer<float>::gradient(const TokenBatch&);
template Result<Evaluation> Trainer<double>::evaluate();
template Result<Evaluation> Trainer<double>::evaluate(const std::uint32_t*, std::size_t);
template Result<PairEvaluation> Trainer<double>::evaluate_pairs(const Pairs&, std::size_t, std::size_t, bool);
template Result<GradientLedger<double>> Trainer<double>::gradient();
template Result<GradientLedger<double>> Trainer<double>::gradient(const Pairs&);
template Result<GradientLedger<double>> Trainer<double>::gradient(const TokenBatch&);

}  // namespace tied
