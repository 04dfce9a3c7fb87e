// What core.wasm is linked without (docs/decisions/0084-one-seam-in-the-core.md): heads other than the full one
// (model/create_head.cpp), encoder-decoders (model/encoder_decoder.h) and models that predict hidden tokens
// (model/masking.h).
#include "model/encoder_decoder.h"
#include "model/head.h"
#include "model/masking.h"
#include "model/transformer_layers.h"
#include "model/transformer_model.h"
#include "training/batches.h"
#include "training/evaluation.h"
#include "training/pair_evaluation.h"
#include "training/trainer_file_parts.h"

namespace tied {

bool has_head(HeadKind kind) { return kind == HeadKind::kFull; }

template <class T>
std::unique_ptr<Head<T>> create_head(HeadKind) {
  return std::make_unique<Head<T>>();
}

std::uint64_t other_head_extent(const ModelConfig&, std::uint64_t) { return 0; }
std::uint64_t head_table_bytes(const ModelConfig&, std::uint64_t) { return 0; }

Status check_encoder_decoder(const ModelConfig&) {
  return make_error(ErrorCode::kUnsupported, "kind", "'encoder-decoder'", "another kind in this module");
}

// No encoder-decoder passes that check, so nothing below is called.

template <class T>
Result<std::unique_ptr<Model<T>>> create_encoder_decoder(const ModelConfig& config, std::uint64_t) {
  return check_encoder_decoder(config);
}

std::uint64_t encoder_decoder_workspace_extent(const ModelConfig&, std::uint64_t) { return 0; }

template <class T>
ConstMatrixView<T> TransformerLayers<T>::add_cross_attention(const ConstMatrixView<T>& x, std::size_t) {
  return x;
}

template <class T>
void TransformerLayers<T>::backward_cross_attention(std::size_t) {}

template <class T>
Result<PairEvaluation> evaluate_pairs(Model<T>&, const Pairs&, std::size_t, std::size_t, bool) {
  return PairEvaluation();
}

Evaluation evaluation_of(const PairEvaluation&) { return {}; }

Status check_pairs(std::string_view, const Pairs&, const ModelConfig& model) { return check_encoder_decoder(model); }
Status PairBatcher::allocate(std::size_t, const ModelConfig& model) { return check_encoder_decoder(model); }
void PairBatcher::add(const Pairs&, std::size_t) {}
PairBatch PairBatcher::batch() const { return {}; }
PairBatch PairBatcher::draw(const Pairs&, std::uint64_t, std::uint64_t, std::uint64_t) { return {}; }
std::uint64_t PairBatcher::extent(std::uint64_t, const ModelConfig&) { return 0; }

void write_pairs(ByteWriter&, const Pairs&, std::uint64_t) {}
Status read_pairs(ByteReader& in, std::uint64_t&, std::uint64_t, Pairs*) {
  return bad_file("pairs, which this module does not read,", in.position());
}

Status check_masked(const ModelConfig&) {
  return make_error(ErrorCode::kUnsupported, "objective", "one that predicts hidden tokens",
                    "'next-token' in this module");
}
Status reads_both_sides() { return check_masked({}); }

// No model with another objective passes that check.

template <class T>
double TransformerModel<T>::masked_loss(const TokenBatch&, Pass) {
  return 0;
}

TokenBatch BatchSampler::draw_hidden(const std::uint32_t*, std::size_t, std::uint64_t, std::uint64_t,
                                     const ModelConfig&) {
  return {};
}

template <class T>
Result<Evaluation> evaluate_hidden(Model<T>&, const std::uint32_t*, std::size_t) {
  return Evaluation();
}

#define TIED_INSTANTIATE(T)                                                                                      \
  template std::unique_ptr<Head<T>> create_head(HeadKind);                                                       \
  template Result<std::unique_ptr<Model<T>>> create_encoder_decoder(const ModelConfig&, std::uint64_t);          \
  template ConstMatrixView<T> TransformerLayers<T>::add_cross_attention(const ConstMatrixView<T>&, std::size_t); \
  template void TransformerLayers<T>::backward_cross_attention(std::size_t);                                     \
  template double TransformerModel<T>::masked_loss(const TokenBatch&, Pass);                                     \
  template Result<Evaluation> evaluate_hidden(Model<T>&, const std::uint32_t*, std::size_t);                     \
  template Result<PairEvaluation> evaluate_pairs(Model<T>&, const Pairs&, std::size_t, std::size_t, bool)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

}  // namespace tied
