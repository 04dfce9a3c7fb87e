// Tokenizers, Markov chains. Text crosses as UTF-8: web/core encodes and decodes it.
// A tokenizer's handle is its address, which JavaScript holds until it calls `deleteTokenizer`.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "text/limits.h"
#include "text/markov_chain.h"
#include "text/text_encoding.h"
#include "text/tokenizer.h"
#include "text/tokenizer_training.h"

namespace tied::bindings {
namespace {

std::string_view text_at(Address bytes, Address size) { return {at<char>(bytes), size}; }
std::span<const std::uint32_t> ids_at(Address ids, Address size) { return {at<std::uint32_t>(ids), size}; }
const Tokenizer& tokenizer_at(Address handle) { return *at<Tokenizer>(handle); }

// 0 on failure.
Address handle_of(Result<Tokenizer> tokenizer) {
  if (!tokenizer) {
    failed(tokenizer.error());
    return 0;
  }
  return reinterpret_cast<Address>(new Tokenizer(std::move(tokenizer).value()));
}

// `vocab_size` 0 = the default of the kind. `alphabet`: value of the enumeration.
TokenizerOptions tokenizer_options(Address kind, Address vocab_size, Address alphabet) {
  TokenizerOptions options;
  options.kind = static_cast<TokenizerKind>(kind);
  options.alphabet = static_cast<Alphabet>(alphabet);
  if (vocab_size != 0) options.vocab_size = vocab_size;
  return options;
}

// Formats in the order of web/core/model/options.ts.
Address load(Address file, Address size, Address format) {
  const std::string_view bytes = text_at(file, size);
  return handle_of(format == 0 ? load_tokenizer(bytes) : load_llama2c_tokenizer(bytes));
}

void drop(Address handle) { delete &tokenizer_at(handle); }

Address kind(Address handle) { return static_cast<Address>(tokenizer_at(handle).kind()); }

// -1 if there is none.
double start_token(Address handle) {
  const auto token = tokenizer_at(handle).start_token();
  return token ? static_cast<double>(*token) : -1;
}

// Learns from a text, encodes it, or both, a part at a time. It holds its own copy of the text.
struct TextWork {
  explicit TextWork(std::string_view given) : text(given) {}

  const std::string text;
  bool encodes = true;
  std::optional<TokenizerTraining> training;
  std::unique_ptr<Tokenizer> learned;
  std::optional<TextEncoding> encoding;

  bool finished() const { return encoding ? encoding->finished() : learned && !encodes; }

  Status start_encoding(const Tokenizer& tokenizer) {
    encoding.emplace(tokenizer, text);
    return encoding->start();
  }

  Status advance(std::size_t bytes) {
    if (encoding) return encoding->advance(bytes);
    if (auto status = training->advance(bytes); !status || !training->finished()) return status;
    auto tokenizer = training->take_tokenizer();
    if (!tokenizer) return tokenizer.failure();
    learned = std::make_unique<Tokenizer>(std::move(tokenizer).value());
    return encodes ? start_encoding(*learned) : Status();
  }
};

TextWork& work_at(Address handle) { return *const_cast<TextWork*>(at<TextWork>(handle)); }

// 0 on failure.
Address handle_of(std::unique_ptr<TextWork> work, const Status& started) {
  return done(started) ? reinterpret_cast<Address>(work.release()) : 0;
}

Address start_learning(Address text, Address size, Address kind, Address vocab_size, Address alphabet, bool encodes) {
  if (!done(check_memory("text length", size, size))) return 0;
  auto work = std::make_unique<TextWork>(text_at(text, size));
  work->encodes = encodes;
  work->training.emplace(work->text, tokenizer_options(kind, vocab_size, alphabet));
  const Status started = work->training->start();
  return handle_of(std::move(work), started);
}

// The tokenizer must outlive the work.
Address start_encoding(Address tokenizer, Address text, Address size) {
  if (!done(check_memory("text length", size, size))) return 0;
  auto work = std::make_unique<TextWork>(text_at(text, size));
  const Status started = work->start_encoding(tokenizer_at(tokenizer));
  return handle_of(std::move(work), started);
}

bool advance_text(Address handle, Address bytes) {
  TextWork& work = work_at(handle);
  if (!work.finished() && !done(work.advance(bytes))) return false;
  answer.write(TextProgress{work.training && !work.learned ? work.training->share() : 1,
                            work.encoding ? work.encoding->share() : 0, work.finished()});
  return true;
}

// All ids, if it encodes. Returns the handle of the tokenizer that was learned, or 0.
Address finish_text(Address handle) {
  TextWork& work = work_at(handle);
  answer.ids(work.encoding ? work.encoding->take_ids() : std::vector<std::uint32_t>());
  work.encoding.reset();
  return reinterpret_cast<Address>(work.learned.release());
}

void drop_text(Address handle) { delete &work_at(handle); }

bool answer_text(Result<std::string> text) {
  if (!text) return failed(text.error());
  answer.text(std::move(text).value());
  return true;
}

bool decode(Address handle, Address ids, Address size) {
  return answer_text(tokenizer_at(handle).decode(ids_at(ids, size)));
}

bool save(Address handle) { return answer_text(tokenizer_at(handle).save()); }

// Printable forms of all tokens, each followed by a zero byte.
bool tokens(Address handle) { return answer_text(tokenizer_at(handle).all_printable()); }

bool random_chain(Address states, double seed, double concentration) {
  return answered(random_markov_chain(states, static_cast<std::uint64_t>(seed), concentration));
}

MarkovSampler& sampler_at(Address handle) { return *const_cast<MarkovSampler*>(at<MarkovSampler>(handle)); }

// 0 on failure.
Address start_sample(Address transition, Address states, Address length, double seed) {
  auto sampler = MarkovSampler::create(matrix_at(transition, states, states), length, static_cast<std::uint64_t>(seed));
  if (!sampler) {
    failed(sampler.error());
    return 0;
  }
  return reinterpret_cast<Address>(new MarkovSampler(std::move(sampler).value()));
}

// The next ids, at most `most`.
bool advance_sample(Address handle, Address most) {
  MarkovSampler& sampler = sampler_at(handle);
  const std::size_t count = std::min(most, sampler.remaining());
  if (!done(check_memory("length", count, count * sizeof(std::uint32_t)))) return false;
  std::vector<std::uint32_t> ids(count);
  sampler.draw(ids);
  answer.ids(std::move(ids));
  return true;
}

void drop_sample(Address handle) { delete &sampler_at(handle); }

}  // namespace

EMSCRIPTEN_BINDINGS(tied_text) {
  using emscripten::function;
  function("loadTokenizer", &load);
  function("deleteTokenizer", &drop);
  function("tokenizerKind", &kind);
  function("startToken", &start_token);
  function("tokenizerTokens", &tokens);
  function("startLearning", &start_learning);
  function("startEncoding", &start_encoding);
  function("advanceText", &advance_text);
  function("finishText", &finish_text);
  function("deleteText", &drop_text);
  function("decode", &decode);
  function("saveTokenizer", &save);
  function("randomMarkovChain", &random_chain);
  function("startSample", &start_sample);
  function("advanceSample", &advance_sample);
  function("deleteSample", &drop_sample);
}

}  // namespace tied::bindings
