#include "model/sampling.h"

#include "base/allocate.h"
#include "base/elementary.h"
#include "base/heap.h"
#include "base/random.h"
#include "linalg/reduce.h"
#include "model/head.h"

namespace tied {

Status Sampler::prepare(std::size_t vocab_size, const SamplingOptions& options) {
  // Written so that NaN fails.
  if (!(options.temperature >= 0 && options.temperature - options.temperature == 0)) {
    return make_error(ErrorCode::kInvalidArgument, "temperature", options.temperature, "a finite number, at least 0");
  }
  vocab_size_ = vocab_size;
  options_ = options;
  if (options.temperature == 0) return {};  // the largest logit needs no memory
  if (options.top_k > 0 && options.top_k < vocab_size) {
    if (Status status = allocate(largest_, options.top_k); !status) return status;
  }
  return allocate(weights_, vocab_size);
}

// The last of the top_k largest, found with a heap whose top is the smallest of them.
template <class T>
std::uint32_t Sampler::last_of_largest(const T* logits) {
  std::uint32_t* const heap = largest_.data();
  const std::size_t capacity = largest_.size();
  const auto is_weaker = [logits](std::uint32_t a, std::uint32_t b) {
    return logits[a] < logits[b] || (logits[a] == logits[b] && a > b);
  };
  std::size_t size = 0;
  for (std::uint32_t id = 0; id < vocab_size_; ++id) {
    if (size < capacity) {
      heap_push(heap, size++, id, is_weaker);
    } else if (is_weaker(heap[0], id)) {
      heap_sift_down(heap, size, 0, id, is_weaker);
    }
  }
  return heap[0];
}

template <class T>
Status Sampler::draw(std::uint32_t& out, const T* logits, std::uint64_t i) {
  const std::size_t bad = first_not_finite(logits, vocab_size_);
  if (bad < vocab_size_) {
    return make_error(ErrorCode::kNotFinite, "logit", static_cast<double>(logits[bad]),
                      "a finite number: smaller values in the matrices");
  }
  const std::size_t best = argmax(logits, vocab_size_);
  out = static_cast<std::uint32_t>(best);
  if (options_.temperature == 0) return {};

  const bool takes_all = largest_.size() == 0;
  const std::size_t last = takes_all ? 0 : last_of_largest(logits);
  double total = 0;
  for (std::size_t id = 0; id < vocab_size_; ++id) {
    const bool is_among = takes_all || logits[id] > logits[last] || (logits[id] == logits[last] && id <= last);
    // However high the temperature, a token that the head cannot predict is not drawn.
    const bool is_candidate = is_among && logits[id] != static_cast<T>(kUnsayableLogit);
    const double below_best = static_cast<double>(logits[id]) - static_cast<double>(logits[best]);
    weights_[id] = is_candidate ? exponential(below_best / options_.temperature) : 0;
    total += weights_[id];
  }

  // A draw of 53 bits takes two positions of the stream.
  Random random(options_.seed, stream_of("sample"));
  random.seek(2 * i);
  const double target = random.uniform_double() * total;
  // If rounding keeps every sum from passing the target, take the most probable token.
  double sum = 0;
  for (std::size_t id = 0; id < vocab_size_; ++id) {
    sum += weights_[id];
    if (sum > target) {
      out = static_cast<std::uint32_t>(id);
      break;
    }
  }
  return {};
}

template Status Sampler::draw(std::uint32_t&, const float*, std::uint64_t);
template Status Sampler::draw(std::uint32_t&, const double*, std::uint64_t);

}  // namespace tied
