#include "model/generation.h"

#include <algorithm>
#include <utility>

#include "base/allocate.h"
#include "base/token_ids.h"

namespace tied {

template <class T>
Result<std::unique_ptr<Generation<T>>> Generation<T>::create(Model<T>& model, std::span<const std::uint32_t> prompt,
                                                             const SamplingOptions& options, BeyondContext beyond) {
  std::unique_ptr<Generation> generation(new Generation(model, beyond));
  if (Status status = generation->prepare(prompt, options); !status) return status;
  return generation;
}

template <class T>
Status Generation<T>::prepare(std::span<const std::uint32_t> prompt, const SamplingOptions& options) {
  const std::uint64_t vocab_size = model_.config().vocab_size;
  if (model_.reads_pairs()) {
    return make_error(ErrorCode::kUnsupported, "model", "an encoder-decoder", "a model that continues a text");
  }
  if (beyond_ == BeyondContext::kKeep && !model_.config().keeps_beyond_context()) {
    return make_error(ErrorCode::kUnsupported, "beyond_context", "keep with learned positions or n-grams",
                      "read, or a model with rotary positions or none, and without n-grams");
  }
  if (prompt.empty()) return make_error(ErrorCode::kInvalidArgument, "prompt", "empty", "at least one token");
  if (Status status = check_token_ids("prompt", prompt, vocab_size); !status) return status;
  if (Status status = sampler_.prepare(static_cast<std::size_t>(vocab_size), options); !status) return status;
  const std::size_t context_length = model_.context_length();
  auto decoder = model_.create_decoder();
  if (!decoder) return decoder.failure();
  decoder_ = std::move(decoder).value();
  TIED_ASSERT(decoder_->capacity() >= context_length);
  if (Status status = allocate(logits_, vocab_size); !status) return status;
  if (Status status = allocate(tokens_, std::uint64_t{2} * context_length); !status) return status;
  for (const std::uint32_t token : prompt.last(std::min(prompt.size(), context_length))) push(token);
  return {};
}

template <class T>
Status Generation<T>::advance(std::span<std::uint32_t> out) {
  for (std::uint32_t& token : out) {
    read();
    if (Status status = sampler_.draw(token, logits_.data(), count_); !status) return status;
    push(token);
    ++count_;
  }
  return {};
}

template <class T>
void Generation<T>::refresh() {
  unread_ = end_ - begin_;
  decoder_->reset();
}

template <class T>
void Generation<T>::push(std::uint32_t token) {
  const std::size_t context_length = model_.context_length();
  if (end_ == tokens_.size()) {
    std::copy(tokens_.begin() + begin_, tokens_.end(), tokens_.begin());
    end_ -= begin_;
    begin_ = 0;
  }
  tokens_[end_++] = token;
  if (end_ - begin_ > context_length) ++begin_;
  ++unread_;
}

// Updates logits_. Once the sequence is longer than the context, with kRead the whole window is recomputed for every
// token: every token has a new position, and above the first layer its cached keys and values depend on the token that
// has left the window.
template <class T>
void Generation<T>::read() {
  if (unread_ == 0) return;
  const bool is_full = unread_ > decoder_->capacity() - decoder_->size();
  if (is_full && (unread_ > 1 || beyond_ == BeyondContext::kRead || !decoder_->remove_first())) refresh();
  decoder_->append(tokens_.data() + end_ - unread_, unread_, logits_.data());
  unread_ = 0;
}

template class Generation<float>;
template class Generation<double>;

}  // namespace tied
