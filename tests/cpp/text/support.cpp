#include "support.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>

#include "base/byte_stream.h"
#include "base/hash.h"

namespace tied::test::inline text_tests {

std::uint64_t hash_of(std::string_view bytes) { return fnv1a_64(bytes_of(bytes)); }

std::uint64_t hash_of(std::span<const std::uint32_t> numbers) {
  return fnv1a_64({reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size_bytes()});
}

std::string corpus(const char* name) { return data_file(std::string("corpora/") + name); }

std::string data_file(const std::string& name) {
  const std::string path = std::string(TIED_SOURCE_DIR) + "/../shared/data/" + name;
  std::string text;
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    std::array<char, 65536> block;
    std::size_t size = 0;
    while ((size = std::fread(block.data(), 1, block.size(), file)) > 0) text.append(block.data(), size);
    std::fclose(file);
  } else {
    std::printf("not run: this test reads ../shared/data/%s, which does not exist\n", name.c_str());
  }
  return text;
}

std::string random_text(Random& random, std::size_t characters) {
  static constexpr std::array<std::string_view, 48> kAlphabet = {"a",
                                                                 "b",
                                                                 "e",
                                                                 "n",
                                                                 "o",
                                                                 "s",
                                                                 "t",
                                                                 "A",
                                                                 "Z",
                                                                 " ",
                                                                 " ",
                                                                 " ",
                                                                 " ",
                                                                 "\n",
                                                                 "\t",
                                                                 "\r\n",
                                                                 ".",
                                                                 ",",
                                                                 "!",
                                                                 "\"",
                                                                 "'",
                                                                 "-",
                                                                 "--",
                                                                 "(",
                                                                 ")",
                                                                 "/",
                                                                 "$",
                                                                 "3",
                                                                 "14",
                                                                 "0",
                                                                 "_",
                                                                 "*",
                                                                 "\xC3\xA9",
                                                                 "\xC3\x9F",
                                                                 "\xCC\x81",
                                                                 "\xE4\xB8\xAD",
                                                                 "\xE6\x96\x87",
                                                                 "\xE3\x81\x82",
                                                                 "\xE3\x80\x82",
                                                                 "\xE2\x80\x9C",
                                                                 "\xE2\x80\x9D",
                                                                 "\xE2\x80\x99",
                                                                 "\xE2\x80\x94",
                                                                 "\xC2\xA0",
                                                                 "\xF0\x9F\x98\x80",
                                                                 "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80",
                                                                 "\xE2\x82\xAC",
                                                                 "\xEF\xBB\xBF"};
  std::string text;
  for (std::size_t i = 0; i < characters; ++i) text += kAlphabet[random.below(kAlphabet.size())];
  return text;
}

std::string random_bytes(Random& random, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(random.below(256)));
  return bytes;
}

Tokenizer trained(std::string_view text, TokenizerKind kind, std::optional<std::size_t> vocab_size) {
  auto tokenizer = train_tokenizer(text, {.kind = kind, .vocab_size = vocab_size});
  REQUIRE_MESSAGE(tokenizer.ok(), (tokenizer.ok() ? std::string() : tokenizer.error().message()));
  return std::move(tokenizer).value();
}

std::vector<std::uint32_t> encoded(const Tokenizer& tokenizer, std::string_view text) {
  auto ids = tokenizer.encode(text);
  REQUIRE_MESSAGE(ids.ok(), (ids.ok() ? std::string() : ids.error().message()));
  return std::move(ids).value();
}

std::string decoded(const Tokenizer& tokenizer, std::span<const std::uint32_t> ids) {
  auto text = tokenizer.decode(ids);
  REQUIRE_MESSAGE(text.ok(), (text.ok() ? std::string() : text.error().message()));
  return std::move(text).value();
}

std::string round_trip(const Tokenizer& tokenizer, std::string_view text) {
  return decoded(tokenizer, encoded(tokenizer, text));
}

}  // namespace tied::test::inline text_tests
