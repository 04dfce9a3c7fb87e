// See encoder_decoder.h for programs that are linked without this file.
#include "model/encoder_decoder_model.h"

#include <algorithm>
#include <utility>

#include "base/allocate.h"
#include "model/encoder_decoder.h"

namespace tied {
namespace {

// Separates the encoder's dropout from the decoder's.
constexpr std::uint64_t kEncoderDropout = std::uint64_t{1} << 63;

TransformerLayout encoder_layout(const ModelConfig& config, std::uint64_t max_rows) {
  return TransformerLayout(encoder_config(config), max_rows, {.mask = AttentionMask::kNone});
}

TransformerLayout decoder_layout(const ModelConfig& config, std::uint64_t max_rows, const TransformerLayout& encoder) {
  return TransformerLayout(config, max_rows, {.memory_rows = encoder.rows, .memory_length = config.source_length});
}

std::uint64_t states_extent(const ModelConfig& config, const TransformerLayout& encoder) {
  return padded(encoder.rows * config.d_model);
}

}  // namespace

Status check_encoder_decoder(const ModelConfig& config) {
  if (config.tying != Tying::kTied && config.tying != Tying::kUntied) {
    return make_error(ErrorCode::kInvalidArgument, "tying", tying_name(config.tying),
                      "'tied' or 'untied' for an encoder-decoder");
  }
  if (config.changes_tying()) {
    return make_error(ErrorCode::kInvalidArgument, "tying", "a tying that changes",
                      "a fixed one for an encoder-decoder");
  }
  if (config.encoder_table == EncoderTable::kUnembedding && config.tying == Tying::kTied) {
    return make_error(ErrorCode::kInvalidArgument, "encoder_table", "the unembedding",
                      "the embedding, if both are one table");
  }
  if (config.start_token >= config.vocab_size) {
    return make_error(ErrorCode::kInvalidArgument, "start_token", config.start_token,
                      "a token below " + text_of(config.vocab_size));
  }
  if (config.end_token >= config.vocab_size || config.end_token == config.start_token) {
    return make_error(ErrorCode::kInvalidArgument, "end_token", config.end_token,
                      "a token below " + text_of(config.vocab_size) + " that is not the start_token");
  }
  return {};
}

std::uint64_t encoder_decoder_workspace_extent(const ModelConfig& config, std::uint64_t max_rows) {
  const TransformerLayout encoder = encoder_layout(config, max_rows);
  return encoder.extent + decoder_layout(config, max_rows, encoder).extent + 2 * states_extent(config, encoder);
}

template <class T>
EncoderDecoderModel<T>::EncoderDecoderModel(const ModelConfig& config, std::uint64_t max_rows)
    : Model<T>(config),
      encoder_config_(encoder_config(config)),
      encoder_layout_(encoder_layout(config, max_rows)),
      layout_(decoder_layout(config, max_rows, encoder_layout_)) {}

template <class T>
Result<std::unique_ptr<Model<T>>> EncoderDecoderModel<T>::create(const ModelConfig& config, std::uint64_t max_rows) {
  std::unique_ptr<EncoderDecoderModel> model(new EncoderDecoderModel(config, max_rows));
  if (Status status = model->allocate(); !status) return status;
  return std::unique_ptr<Model<T>>(std::move(model));
}

template <class T>
Status EncoderDecoderModel<T>::allocate() {
  ParameterStore<T>& parameters = this->parameters();
  auto [table, places, encoder] = transformer_parameter_table(this->config());
  places_ = std::move(places);
  encoder_places_ = std::move(encoder);
  if (Status status = parameters.allocate(std::move(table)); !status) return status;
  const std::uint64_t states = states_extent(this->config(), encoder_layout_);
  if (Status status = tied::allocate(workspace_, encoder_layout_.extent + layout_.extent + 2 * states); !status) {
    return status;
  }
  T* const workspace = workspace_.data();
  encoder_.bind(encoder_config_, encoder_layout_, encoder_places_, parameters, workspace);
  T* const of_decoder = workspace + static_cast<std::size_t>(encoder_layout_.extent);
  decoder_.bind(this->config(), layout_, places_, parameters, of_decoder);
  this->head_ = create_head<T>(this->config().head);
  if (Status status = this->head_->bind(places_.ends, parameters, of_decoder + static_cast<std::size_t>(layout_.head),
                                        this->config(), layout_.rows, {});
      !status) {
    return status;
  }
  states_ = of_decoder + static_cast<std::size_t>(layout_.extent);
  states_gradient_ = states_ + static_cast<std::size_t>(states);
  return {};
}

// ---------------------------------------------------------------- training

// The rows of the sources of `size` pairs, from pair `first` on; target_rows: of their targets.
template <class T>
SequenceRows EncoderDecoderModel<T>::source_rows(const PairBatch& batch, std::size_t first, std::size_t size) const {
  return {static_cast<std::size_t>(encoder_config_.context_length), size, batch.source_starts + first};
}

template <class T>
SequenceRows EncoderDecoderModel<T>::target_rows(const PairBatch& batch, std::size_t first, std::size_t size) const {
  return {context_length(), size, batch.target_starts + first};
}

// The states of the sources, copied: they are read again by every layer of the decoder, and in the backward pass.
template <class T>
ConstMatrixView<T> EncoderDecoderModel<T>::encode(const std::uint32_t* tokens, const SequenceRows& sequences,
                                                  const Chunk<T>& options) {
  Chunk<T> chunk = options;
  chunk.inputs = tokens;
  chunk.rows = sequences.rows();
  chunk.sequences = sequences;
  if (chunk.dropout_key != 0) chunk.dropout_key ^= kEncoderDropout;
  const ConstMatrixView<T> states = encoder_.forward(chunk);
  const MatrixView<T> kept(states_, states.rows, states.cols);
  std::copy_n(states.data, states.rows * states.cols, kept.data);
  return kept;
}

template <class T>
double EncoderDecoderModel<T>::loss(const PairBatch& batch, Pass pass) {
  const bool with_gradient = pass == Pass::kForwardBackward;
  const auto d_model = static_cast<std::size_t>(this->config().d_model);
  const SequenceRows all = target_rows(batch, 0, batch.size);
  const double weight = batch.weight / static_cast<double>(all.rows());
  const std::size_t end = batch.shard.end(batch.size);
  double loss = 0;
  for (std::size_t first = batch.shard.first(batch.size); first < end;) {
    std::size_t size = 1;
    while (first + size < end && source_rows(batch, first, size + 1).rows() <= encoder_layout_.rows &&
           target_rows(batch, first, size + 1).rows() <= layout_.rows) {
      ++size;
    }
    Chunk<T> chunk;
    chunk.dropout_key = this->config().dropout > 0 ? batch.dropout_key : 0;
    chunk.stores_for_backward = with_gradient;
    chunk.first_row = batch.source_starts[first] - batch.source_starts[0];
    memory_ = {};
    memory_.sequences = source_rows(batch, first, size);
    memory_.states = encode(batch.sources + chunk.first_row, memory_.sequences, chunk);
    memory_.gradient = {states_gradient_, memory_.states.rows, d_model};

    const std::size_t first_target = all.first(first);
    chunk.inputs = batch.inputs + first_target;
    chunk.sequences = target_rows(batch, first, size);
    chunk.rows = chunk.sequences.rows();
    chunk.first_row = first_target;
    chunk.memory = &memory_;
    const ConstMatrixView<T> h = decoder_.forward(chunk);
    loss += this->head_->loss(h, {batch.targets + first_target, weight, {}, batch.label_smoothing}, with_gradient,
                              decoder_.output_gradient());
    if (with_gradient) {
      std::fill_n(states_gradient_, memory_.states.rows * d_model, T{0});
      this->parameters().add_position_square(decoder_.backward());
      const MatrixView<T> gradient = encoder_.output_gradient();
      std::copy_n(states_gradient_, gradient.rows * gradient.cols, gradient.data);
      encoder_.backward();
    }
    first += size;
  }
  return loss;
}

// ---------------------------------------------------------------- one pair

template <class T>
ConstMatrixView<T> EncoderDecoderModel<T>::forward(const PairTokens& pair) {
  memory_ = {};
  memory_.sequences = {pair.source.size(), 1};
  memory_.states = encode(pair.source.data(), memory_.sequences, {});
  Chunk<T> chunk;
  chunk.inputs = pair.inputs.data();
  chunk.rows = pair.inputs.size();
  chunk.sequences = {pair.inputs.size(), 1};
  chunk.memory = &memory_;
  return decoder_.forward(chunk);
}

template <class T>
void EncoderDecoderModel<T>::logits(MatrixView<T> out, const PairTokens& pair) {
  TIED_ASSERT(out.rows == pair.inputs.size() && out.cols == this->config().vocab_size);
  this->head_->logits(out, forward(pair));
}

template <class T>
void EncoderDecoderModel<T>::attention(const PairAttention<T>& out, const PairTokens& pair) {
  forward(pair);
  const auto heads = static_cast<std::size_t>(this->config().n_heads);
  const std::size_t source = heads * pair.source.size();
  const std::size_t target = heads * pair.inputs.size();
  for (std::size_t i = 0; i < encoder_places_.layers.size(); ++i) {
    encoder_.attention(out.encoder.row_block(i * source, source), i);
  }
  for (std::size_t i = 0; i < places_.layers.size(); ++i) {
    decoder_.attention(out.decoder.row_block(i * target, target), i);
    decoder_.cross_attention(out.cross.row_block(i * target, target), i);
  }
}

// ---------------------------------------------------------------- decoding

template <class T>
std::size_t EncoderDecoderModel<T>::memory_cols() const {
  return static_cast<std::size_t>(2 * this->config().key_value_heads() * this->config().head_width());
}

template <class T>
std::uint64_t EncoderDecoderModel<T>::memory_extent() const {
  return this->config().n_layers * this->config().source_length * memory_cols();
}

template <class T>
std::uint64_t EncoderDecoderModel<T>::cache_extent() const {
  return this->config().n_layers * this->config().context_length * memory_cols();
}

template <class T>
void EncoderDecoderModel<T>::read(T* memory, std::span<const std::uint32_t> source) {
  decoder_.read_memory(memory, encode(source.data(), {source.size(), 1}, {}));
}

template <class T>
void EncoderDecoderModel<T>::append(T* logits, std::uint32_t token, std::size_t position, T* cache, const T* memory,
                                    std::size_t source_size) {
  memory_ = {};
  memory_.sequences = {source_size, 1};
  memory_.keys_values = memory;
  Chunk<T> chunk;
  chunk.inputs = &token;
  chunk.rows = 1;
  chunk.sequences = {1, 1};
  chunk.first_position = position;
  chunk.cache = cache;
  chunk.memory = &memory_;
  this->head_->logits({logits, 1, static_cast<std::size_t>(this->config().vocab_size)}, decoder_.forward(chunk));
}

// ---------------------------------------------------------------- verbs of other models

template <class T>
double EncoderDecoderModel<T>::loss(const TokenBatch&, Pass) {
  TIED_ASSERT(this->pairs() == nullptr);
  return 0;
}

template <class T>
double EncoderDecoderModel<T>::joint_loss(const JointBatch<T>&, Pass) {
  TIED_ASSERT(this->pairs() == nullptr);
  return 0;
}

template <class T>
void EncoderDecoderModel<T>::logits(MatrixView<T>, const std::uint32_t*, std::size_t, std::size_t, bool) {
  TIED_ASSERT(this->pairs() == nullptr);
}

template <class T>
void EncoderDecoderModel<T>::hidden_states(std::span<const MatrixView<T>>, const std::uint32_t*, std::size_t) {
  TIED_ASSERT(this->pairs() == nullptr);
}

template <class T>
void EncoderDecoderModel<T>::attention(MatrixView<T>, const std::uint32_t*, std::size_t) {
  TIED_ASSERT(this->pairs() == nullptr);
}

template <class T>
Result<std::unique_ptr<Decoder<T>>> EncoderDecoderModel<T>::create_decoder() {
  return make_error(ErrorCode::kUnsupported, "model", "an encoder-decoder", "a model that continues a text");
}

template <class T>
Result<std::unique_ptr<Model<T>>> create_encoder_decoder(const ModelConfig& config, std::uint64_t max_rows) {
  return EncoderDecoderModel<T>::create(config, max_rows);
}

template class EncoderDecoderModel<float>;
template class EncoderDecoderModel<double>;
template Result<std::unique_ptr<Model<float>>> create_encoder_decoder(const ModelConfig&, std::uint64_t);
template Result<std::unique_ptr<Model<double>>> create_encoder_decoder(const ModelConfig&, std::uint64_t);

}  // namespace tied
