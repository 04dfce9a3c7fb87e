// Learning the vocabulary of a text in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/record.h"
#include "text/bpe.h"
#include "text/string_index.h"
#include "text/tokenizer.h"
#include "text/word_pieces.h"

namespace tied {

// How far the work on a text has come.
struct TextProgress {
  double learned = 0;  // fractions
  double encoded = 0;
  bool finished = false;

  using Answered = Record<&TextProgress::learned, &TextProgress::encoded, &TextProgress::finished>;
};

// Does what `train_tokenizer` does, a part at a time. The text must outlive it; it must not move once started.
class TokenizerTraining {
 public:
  TokenizerTraining(std::string_view text, const TokenizerOptions& options) : text_(text), options_(options) {}

  // To be called first. Errors: as train_tokenizer.
  Status start();
  bool finished() const { return is_cut() && (!merges_ || merges_->finished()); }
  // Progress from 0 to 1.
  double share() const;
  // Works for about as long as reading `bytes` bytes takes. Errors: as train_tokenizer; after an error, only the
  // destructor may be called.
  Status advance(std::size_t bytes);
  // Once finished. Errors: as train_tokenizer.
  Result<Tokenizer> take_tokenizer();

 private:
  bool is_cut() const { return cursor_.position == text_.size(); }
  std::size_t vocab_size(std::size_t otherwise) const { return options_.vocab_size.value_or(otherwise); }
  Status cut(std::size_t end);
  void count(std::string_view piece);
  Status start_bpe();
  Status start_merging();
  Result<Tokenizer> characters();
  Result<Tokenizer> words();
  Result<Tokenizer> bpe();

  std::string_view text_;
  TokenizerOptions options_;
  WordCursor cursor_;
  StringIndex pieces_;  // the distinct characters, words or pieces of the text
  std::vector<std::uint32_t> counts_;
  std::size_t total_ = 0;
  bool out_of_memory_ = false;
  std::string alphabet_;  // kBpe: the text's own, or empty
  std::optional<MergeLearner> merges_;
};

}  // namespace tied
