#include "model/transformer_decoder.h"

#include <algorithm>
#include <utility>

#include "base/allocate.h"

namespace tied {

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
  return std::unique_ptr<Decoder<T>>(std::move(decoder));
}

template <class T>
void TransformerDecoder<T>::append(const std::uint32_t* tokens, std::size_t n, T* logits) {
  TIED_ASSERT(n >= 1 && size_ + n <= capacity());
  if (model_.config().has_ngrams()) tokens = std::copy_n(tokens, n, tokens_.data() + size_) - n;
  model_.append(tokens, n, size_, cache_.data(), logits);
  size_ += n;
}

template class TransformerDecoder<float>;
template class TransformerDecoder<double>;

}  // namespace tied
