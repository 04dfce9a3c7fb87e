// Every public function of the folder that allocates reports that memory has run out, wherever that happens.
#include <doctest/doctest.h>

#if defined(TIED_WRAPS_ALLOCATORS)

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../allocations.h"
#include "base/memory.h"
#include "base/random.h"
#include "support.h"
#include "text/story_grammar.h"
#include "text/text_encoding.h"
#include "text/tokenizer.h"
#include "text/tokenizer_training.h"

using namespace tied;

namespace {

// Enough distinct words for everything that grows with them to outgrow the spare many times over.
std::string many_words(std::size_t count) {
  Random random(1, 1);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint32_t n = 2 + random.below(6); n-- > 0;) text += static_cast<char>('a' + random.below(26));
    text += ' ';
  }
  return text;
}

// A request too large to be granted without a probe: counting starts again after it.
void probe_memory() { REQUIRE(has_memory(kUnprobedBytes + 1)); }

// Calls `run` with more and more free memory. It must fail with kOutOfMemory until there is enough, and leak nothing.
template <class Run>
void check_at_every_limit(const Run& run) {
  const std::size_t before = test::allocations.held_bytes;
  test::allocations.most_held_bytes = before;
  REQUIRE(run().ok());
  // How much allocators round up depends on earlier frees.
  constexpr std::size_t kRounding = 4096;
  const std::size_t needed = test::allocations.most_held_bytes - before + kRounding;
  constexpr std::size_t kSteps = 25;
  std::size_t refused = 0;
  for (std::size_t i = 0; i <= kSteps; ++i) {
    probe_memory();
    test::allocations.limit_bytes = test::allocations.held_bytes + kSpareBytes + needed * i / kSteps;
    bool ok = false;
    ErrorCode code = ErrorCode::kInvalidArgument;
    {
      const auto result = run();
      ok = result.ok();
      if (!ok) code = result.error().code;
    }
    test::allocations.limit_bytes = ~std::size_t{0};
    CHECK((ok || code == ErrorCode::kOutOfMemory));
    refused += ok ? 0 : 1;
    CHECK(test::allocations.held_bytes == before);
  }
  // Memory did run out, unless the spare alone is enough, and was enough in the end.
  CHECK((refused > 0 || needed <= kUnprobedBytes));
  CHECK(refused <= kSteps);
}

Tokenizer trained(std::string_view text, TokenizerKind kind, std::size_t vocab_size) {
  auto tokenizer = train_tokenizer(text, {.kind = kind, .vocab_size = vocab_size});
  REQUIRE(tokenizer.ok());
  return std::move(tokenizer).value();
}

constexpr TokenizerKind kKinds[] = {TokenizerKind::kCharacter, TokenizerKind::kWord, TokenizerKind::kBpe};

}  // namespace

TEST_CASE("learning words reports out of memory wherever that happens") {
  const std::string text = many_words(100'000);
  check_at_every_limit([&] { return train_tokenizer(text, {.kind = TokenizerKind::kWord, .vocab_size = 1'000'000}); });
}

TEST_CASE("learning merges reports out of memory wherever that happens") {
  const std::string text = many_words(50'000);
  check_at_every_limit([&] { return train_tokenizer(text, {.kind = TokenizerKind::kBpe, .vocab_size = 5'000}); });
}

TEST_CASE("encoding, decoding, saving, loading and listing report out of memory wherever that happens") {
  const std::string text = many_words(70'000);
  for (const TokenizerKind kind : kKinds) {
    const Tokenizer tokenizer = trained(text, kind, kind == TokenizerKind::kWord ? 500'000 : 2'000);
    check_at_every_limit([&] { return tokenizer.encode(text); });
    const auto ids = tokenizer.encode(text);
    REQUIRE(ids.ok());
    check_at_every_limit([&] { return tokenizer.decode(ids.value()); });
    check_at_every_limit([&] { return tokenizer.save(); });
    check_at_every_limit([&] { return tokenizer.all_printable(); });
    const auto file = tokenizer.save();
    REQUIRE(file.ok());
    check_at_every_limit([&] { return load_tokenizer(file.value()); });
  }
}

TEST_CASE("learning and encoding in parts report out of memory wherever that happens") {
  constexpr std::size_t kPart = 50'000;
  const std::string text = many_words(60'000);
  for (const TokenizerKind kind : kKinds) {
    const TokenizerOptions options{.kind = kind, .vocab_size = kind == TokenizerKind::kWord ? 500'000 : 1'000};
    check_at_every_limit([&]() -> Result<Tokenizer> {
      TokenizerTraining training(text, options);
      if (auto status = training.start(); !status) return status;
      while (!training.finished()) {
        if (auto status = training.advance(kPart); !status) return status;
      }
      return training.take_tokenizer();
    });
    const Tokenizer tokenizer = trained(text, kind, *options.vocab_size);
    check_at_every_limit([&]() -> Status {
      TextEncoding encoding(tokenizer, text);
      if (auto status = encoding.start(); !status) return status;
      while (!encoding.finished()) {
        if (auto status = encoding.advance(kPart); !status) return status;
      }
      return {};
    });
  }
}

TEST_CASE("words without spaces between them have more ids than bytes and report out of memory wherever that happens") {
  std::string text;
  while (text.size() < 500'000) text += ",a";
  const Tokenizer tokenizer = trained(text, TokenizerKind::kWord, 100);
  const auto ids = tokenizer.encode(text);
  REQUIRE(ids.ok());
  CHECK(ids.value().size() > text.size());
  check_at_every_limit([&] { return tokenizer.encode(text); });
}

TEST_CASE("scored tokens report out of memory wherever that happens, whether texts are cut into words or not") {
  // The 259 tokens of every vocabulary, then all short strings. A token with a space inside joins words.
  Random random(2, 2);
  for (const bool joins_words : {false, true}) {
    std::vector<std::string> tokens{"<unk>", "<s>", "</s>"};
    for (int byte = 0; byte < 256; ++byte) {
      constexpr std::string_view kDigits = "0123456789ABCDEF";
      tokens.push_back(std::string("<0x") + kDigits[static_cast<std::size_t>(byte) / 16] +
                       kDigits[static_cast<std::size_t>(byte) % 16] + ">");
    }
    for (char letter = 'a'; letter <= 'z'; ++letter) tokens.emplace_back(1, letter);
    for (char letter = 'a'; letter <= 'z'; ++letter) {
      for (char other = 'a'; other <= 'z'; ++other) {
        tokens.push_back({letter, other});
        for (char third = 'a'; third <= 'z'; ++third) tokens.push_back({letter, other, third});
      }
    }
    tokens.emplace_back(" ");
    if (joins_words) tokens.emplace_back("a ");
    std::string file;
    const auto append = [&](std::uint32_t number) {
      for (int i = 0; i < 4; ++i) file += static_cast<char>(number >> (8 * i) & 0xFF);
    };
    append(8);
    for (const std::string& token : tokens) {
      append(random.bits() >> 9);  // a small positive number
      append(static_cast<std::uint32_t>(token.size()));
      file += token;
    }
    check_at_every_limit([&] { return load_llama2c_tokenizer(file); });
    const auto tokenizer = load_llama2c_tokenizer(file);
    REQUIRE(tokenizer.ok());
    const std::string text = many_words(100'000);
    check_at_every_limit([&] { return tokenizer.value().encode(text); });
  }
}

TEST_CASE("stories report out of memory wherever that happens") {
  check_at_every_limit([] { return write_stories(1, 3'000'000); });
}

TEST_CASE("a small file takes memory in proportion to its size") {
  const std::string file = trained("aab ab aab", TokenizerKind::kBpe, 258).save().value();
  const std::size_t before = test::allocations.held_bytes;
  test::allocations.most_held_bytes = before;
  REQUIRE(load_tokenizer(file).ok());
  CHECK(test::allocations.most_held_bytes - before < std::size_t{1} << 17);
}

#endif
