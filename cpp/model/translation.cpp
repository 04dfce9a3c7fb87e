#include "model/translation.h"

#include <algorithm>
#include <utility>

#include "base/allocate.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/token_ids.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

constexpr auto kBadArgument = ErrorCode::kInvalidArgument;
constexpr std::uint64_t kMaxBeams = 64;

// A token that continues one of the beams.
struct Candidate {
  double log_probability;
  std::size_t beam;
  std::uint32_t token;
  bool is_chosen;  // whether the model chooses it, rather than the limit of tokens
};

// The more probable first; ties go to earlier beams, then to lower ids.
bool comes_before(const Candidate& a, const Candidate& b) {
  if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
  return a.beam != b.beam ? a.beam < b.beam : a.token < b.token;
}

}  // namespace

template <class T>
Result<std::unique_ptr<Translation<T>>> Translation<T>::create(Model<T>& model, const TranslationOptions& options) {
  std::unique_ptr<Translation> translation(new Translation(model, options));
  if (Status status = translation->prepare(); !status) return status;
  return translation;
}

template <class T>
Status Translation<T>::prepare() {
  TIED_ASSERT(model_.reads_pairs());
  const ModelConfig& config = model_.config();
  if (options_.max_tokens > config.context_length - 1) {
    return make_error(kBadArgument, "max_tokens", options_.max_tokens,
                      "at most the context_length of the model minus 1, " + text_of(config.context_length - 1));
  }
  if (options_.max_tokens == 0) options_.max_tokens = config.context_length - 1;
  if (options_.beams < 1 || options_.beams > kMaxBeams) {
    return make_error(kBadArgument, "beams", options_.beams, "1 to " + text_of(kMaxBeams));
  }
  if (options_.beams > 1 && options_.sampling.temperature != 0) {
    return make_error(kBadArgument, "temperature", options_.sampling.temperature, "0, as a beam search draws nothing");
  }
  const auto vocab_size = static_cast<std::size_t>(config.vocab_size);
  if (Status status = sampler_.prepare(vocab_size, options_.sampling); !status) return status;
  PairModel<T>& pairs = *model_.pairs();
  if (Status status = allocate(memory_, pairs.memory_extent()); !status) return status;
  const std::uint64_t caches = options_.beams == 1 ? 1 : 2 * options_.beams;
  if (Status status = allocate(caches_, caches * pairs.cache_extent()); !status) return status;
  if (Status status = allocate(logits_, vocab_size); !status) return status;
  return allocate(log_probabilities_, vocab_size);
}

// Log-probabilities of the token after those of `beam`.
template <class T>
Status Translation<T>::read(const Beam& beam, std::size_t source_size) {
  const std::size_t position = beam.found.tokens.size();
  const std::uint32_t token =
      position == 0 ? static_cast<std::uint32_t>(model_.config().start_token) : beam.found.tokens.back();
  model_.pairs()->append(logits_.data(), token, position, beam.cache, memory_.data(), source_size);
  const std::size_t size = logits_.size();
  if (const std::size_t bad = first_not_finite(logits_.data(), size); bad < size) {
    return make_error(ErrorCode::kNotFinite, "logit", static_cast<double>(logits_[bad]),
                      "a finite number: smaller values in the matrices");
  }
  const auto largest = static_cast<double>(logits_[argmax(logits_.data(), size)]);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += exponential(static_cast<double>(logits_[i]) - largest);
  const double normalizer = largest + natural_log(sum);
  for (std::size_t i = 0; i < size; ++i) log_probabilities_[i] = static_cast<double>(logits_[i]) - normalizer;
  return {};
}

template <class T>
Status Translation<T>::decode(Translated& found, std::size_t source_size) {
  Beam beam;
  beam.cache = caches_.data();
  for (std::uint64_t i = 0;; ++i) {
    if (Status status = read(beam, source_size); !status) return status;
    std::uint32_t token = 0;
    if (Status status = sampler_.draw(token, logits_.data(), i); !status) return status;
    beam.found.ended = token == model_.config().end_token;
    if (!beam.found.ended && i == options_.max_tokens) break;
    beam.found.log_probability += log_probabilities_[token];
    if (beam.found.ended) break;
    beam.found.tokens.push_back(token);
  }
  found = std::move(beam.found);
  return {};
}

template <class T>
Status Translation<T>::search(std::vector<Translated>& found, std::size_t source_size) {
  const auto width = static_cast<std::size_t>(options_.beams);
  const auto extent = static_cast<std::size_t>(model_.pairs()->cache_extent());
  const auto end_token = static_cast<std::uint32_t>(model_.config().end_token);
  const auto cache = [&](std::size_t generation, std::size_t i) {
    return caches_.data() + (generation % 2 * width + i) * extent;
  };
  const auto more_probable = [](const Translated& a, const Translated& b) {
    return a.log_probability > b.log_probability;
  };
  std::vector<Beam> beams(1);
  beams[0].cache = cache(0, 0);
  std::vector<Candidate> candidates;
  for (std::size_t step = 0; !beams.empty(); ++step) {
    const bool is_last = step == options_.max_tokens;
    candidates.clear();
    for (std::size_t i = 0; i < beams.size(); ++i) {
      if (Status status = read(beams[i], source_size); !status) return status;
      const auto add = [&](std::uint32_t token, bool is_chosen) {
        candidates.push_back({beams[i].found.log_probability + log_probabilities_[token], i, token, is_chosen});
      };
      // At the last step a target can only end.
      const std::uint32_t n_tokens = is_last ? 0 : static_cast<std::uint32_t>(log_probabilities_.size());
      const std::size_t n_more = is_last ? 1 : n_tokens;
      if (!try_reserve(candidates, n_more)) return out_of_memory(candidates.size() + n_more);
      for (std::uint32_t token = 0; token < n_tokens; ++token) add(token, true);
      if (is_last) add(end_token, argmax(log_probabilities_.data(), log_probabilities_.size()) == end_token);
      // Twice as many as can continue: at most half of them end.
      const std::size_t kept = std::min(candidates.size(), 2 * width);
      std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept), candidates.end(),
                        comes_before);
      candidates.resize(kept);
    }
    std::vector<Beam> next;
    for (const Candidate& candidate : candidates) {
      const Beam& from = beams[candidate.beam];
      Translated made = from.found;
      if (candidate.token == end_token) {
        made.log_probability = candidate.log_probability;
        made.ended = candidate.is_chosen;
        found.insert(std::upper_bound(found.begin(), found.end(), made, more_probable), std::move(made));
        continue;
      }
      if (next.size() == width) continue;
      made.log_probability = candidate.log_probability;
      made.tokens.push_back(candidate.token);
      T* const own = cache(step + 1, next.size());
      std::copy_n(from.cache, extent, own);
      next.push_back({std::move(made), own});
    }
    if (found.size() > width) found.resize(width);
    // An unfinished target can only become less probable.
    if (found.size() == width && (next.empty() || !more_probable(next[0].found, found.back()))) break;
    beams = std::move(next);
  }
  return {};
}

template <class T>
Result<std::vector<Translated>> Translation<T>::translate(std::span<const std::uint32_t> source) {
  const ModelConfig& config = model_.config();
  if (source.empty()) return make_error(kBadArgument, "source.length", 0, "at least one token");
  if (source.size() > config.source_length) {
    return make_error(kBadArgument, "source.length", source.size(),
                      "at most the source_length of the model, " + text_of(config.source_length));
  }
  if (Status status = check_token_ids("source", source, config.vocab_size); !status) return status;
  model_.pairs()->read(memory_.data(), source);
  std::vector<Translated> found;
  if (options_.beams == 1) found.resize(1);
  Status status = options_.beams == 1 ? decode(found[0], source.size()) : search(found, source.size());
  if (!status) return status;
  return found;
}

template class Translation<float>;
template class Translation<double>;

}  // namespace tied
