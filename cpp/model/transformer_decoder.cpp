#include "model/transformer_decoder.h"

#include <algorithm>
#include <utility>

#include "base/allocate.h"
#include "linalg/matmul.h"

namespace tied {
namespace {

// Larger models are not copied: the time of their rows is that of reading memory.
constexpr std::uint64_t kMaxPacked = 4 * 1024 * 1024;

}  // namespace

template <class T>
Result<std::unique_ptr<Decoder<T>>> TransformerDecoder<T>::create(TransformerModel<T>& model) {
  const ModelConfig& config = model.config();
  std::unique_ptr<TransformerDecoder> decoder(new TransformerDecoder(model));
  const std::uint64_t row = 2 * config.key_value_heads() * config.head_width();
  if (Status status = allocate(decoder->cache_, config.n_layers * config.context_length * row); !status) {
    return status;
  }
  if (config.has_ngrams()) {
    if (Status status = allocate(decoder->tokens_, config.context_length); !status) return status;
  }
  const std::uint64_t extent = model.parameters().table().value_extent();
  if (extent <= kMaxPacked) {
    if (Status status = allocate(decoder->packed_, extent); !status) return status;
  }
  return std::unique_ptr<Decoder<T>>(std::move(decoder));
}

template <class T>
void TransformerDecoder<T>::pack() {
  const ParameterStore<T>& parameters = model_.parameters();
  for (const Parameter& parameter : parameters.table().list()) {
    if (parameter.owns_storage()) pack_for_rows(packed_.data() + parameter.offset, parameters.values(parameter));
  }
  is_packed_ = true;
}

template <class T>
bool TransformerDecoder<T>::remove_first() {
  if (!model_.config().keeps_beyond_context()) return false;
  model_.remove_first(cache_.data(), size_--);
  return true;
}

template <class T>
void TransformerDecoder<T>::append(const std::uint32_t* tokens, std::size_t n, T* logits) {
  TIED_ASSERT(n >= 1 && size_ + n <= capacity());
  if (model_.config().has_ngrams()) tokens = std::copy_n(tokens, n, tokens_.data() + size_) - n;
  ParameterStore<T>& parameters = model_.parameters();
  if (n == 1 && packed_.size() != 0) {
    if (!is_packed_) pack();
    parameters.set_packed_values(packed_.data());
  }
  model_.append(tokens, n, size_, cache_.data(), logits);
  parameters.set_packed_values(nullptr);
  size_ += n;
}

template class TransformerDecoder<float>;
template class TransformerDecoder<double>;

}  // namespace tied
