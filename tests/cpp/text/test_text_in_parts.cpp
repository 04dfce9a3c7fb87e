#include <doctest/doctest.h>

#include "support.h"
#include "text/text_encoding.h"
#include "text/tokenizer_training.h"

namespace tied {
namespace {

constexpr TokenizerKind kKinds[] = {TokenizerKind::kCharacter, TokenizerKind::kWord, TokenizerKind::kBpe};

std::string some_text(Random& random) {
  std::string text = "ab \"ab\" ab's \xC3\xA9 ab";
  for (int i = 0; i < 400; ++i) text += "aab  c\n\",.d"[random.below(11)];
  return text;
}

std::optional<std::size_t> vocab_size_of(TokenizerKind kind) {
  if (kind == TokenizerKind::kCharacter) return std::nullopt;
  return kind == TokenizerKind::kWord ? 12 : 290;
}

TEST_CASE("text in parts: learning in parts of any size gives the vocabulary of learning at once") {
  Random random(1, stream_of("test"));
  for (const TokenizerKind kind : kKinds) {
    for (const Alphabet alphabet : {Alphabet::kBytes, Alphabet::kText}) {
      if (alphabet == Alphabet::kText && kind != TokenizerKind::kBpe) continue;
      const std::string text = some_text(random);
      const TokenizerOptions options{.kind = kind, .vocab_size = vocab_size_of(kind), .alphabet = alphabet};
      const auto whole = train_tokenizer(text, options);
      REQUIRE(whole.ok());
      for (const std::size_t part : {0, 1, 7, 100}) {
        TokenizerTraining training(text, options);
        REQUIRE(training.start().ok());
        double share = training.share();
        CHECK(share == 0);
        std::size_t parts = 0;
        while (!training.finished()) {
          REQUIRE(training.advance(part).ok());
          CHECK(training.share() >= share);
          share = training.share();
          ++parts;
        }
        CHECK(share == 1);
        CHECK(parts > 3);
        auto tokenizer = training.take_tokenizer();
        REQUIRE(tokenizer.ok());
        CHECK(tokenizer.value().save().value() == whole.value().save().value());
      }
    }
  }
}

TEST_CASE("text in parts: encoding in parts of any size gives the ids of encoding at once") {
  Random random(2, stream_of("test"));
  for (const TokenizerKind kind : kKinds) {
    const std::string text = some_text(random);
    auto tokenizer =
        train_tokenizer(text, {.kind = kind, .vocab_size = vocab_size_of(kind), .alphabet = Alphabet::kText});
    REQUIRE(tokenizer.ok());
    for (const std::size_t part : {0, 1, 5, 90}) {
      TextEncoding encoding(tokenizer.value(), text);
      REQUIRE(encoding.start().ok());
      std::size_t parts = 0;
      while (!encoding.finished()) {
        const double share = encoding.share();
        REQUIRE(encoding.advance(part).ok());
        CHECK(encoding.share() > share);
        ++parts;
      }
      CHECK(parts > 3);
      CHECK(encoding.take_ids() == test::encoded(tokenizer.value(), text));
    }
  }
}

TEST_CASE("text in parts: an unknown character in a later part is named with its position in the whole text") {
  for (const TokenizerKind kind : {TokenizerKind::kCharacter, TokenizerKind::kBpe}) {
    auto tokenizer = train_tokenizer("abcabc", {.kind = kind, .alphabet = Alphabet::kText});
    REQUIRE(tokenizer.ok());
    const std::string text = "ab ab\xC3\xA9";
    TextEncoding encoding(tokenizer.value(), text);
    REQUIRE(encoding.start().ok());
    Status status;
    while (status.ok()) status = encoding.advance(1);
    CHECK(status.error().value == "\xE2\x90\xA3 (U+0020) at byte 2");
  }
}

}  // namespace
}  // namespace tied
