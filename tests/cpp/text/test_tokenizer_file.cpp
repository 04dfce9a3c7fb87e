#include <doctest/doctest.h>

#include "support.h"

namespace tied {
namespace {

using test::trained;

constexpr std::string_view kText =
    "The cat sat on the mat, and the cat in the hat sat with the cat.\n\"Caf\xC3\xA9?\" said the cat -- "
    "\"Caf\xC3\xA9!\"\n";

void put_number(std::string& file, std::size_t offset, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i) file[offset + i] = static_cast<char>(number >> (8 * i) & 0xFF);
}

// Makes the hash of a changed file valid, so that the content is checked.
void repair_hash(std::string& file) {
  if (file.size() < 32) return;
  put_number(file, 24, static_cast<std::uint32_t>(file.size() - 32));
  std::uint32_t hash = 2166136261u;
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (i >= 28 && i < 32) continue;
    hash = (hash ^ static_cast<unsigned char>(file[i])) * 16777619u;
  }
  put_number(file, 28, hash);
}

std::vector<std::string> saved_files() {
  return {trained(kText, TokenizerKind::kCharacter).save().value(),
          trained(kText, TokenizerKind::kCharacter, 9).save().value(),
          trained(kText, TokenizerKind::kWord, 12).save().value(),
          trained(kText, TokenizerKind::kBpe, 290).save().value()};
}

TEST_CASE("a saved tokenizer loads as the same tokenizer") {
  for (const std::string& file : saved_files()) {
    const auto loaded = load_tokenizer(file);
    REQUIRE(loaded.ok());
    CHECK(loaded.value().save().value() == file);
  }
  for (const auto& [kind, size] : {std::pair{TokenizerKind::kCharacter, 100},
                                   {TokenizerKind::kCharacter, 9},
                                   {TokenizerKind::kWord, 12},
                                   {TokenizerKind::kWord, 1000},
                                   {TokenizerKind::kBpe, 290}}) {
    const Tokenizer before = trained(kText, kind, size);
    const auto after = load_tokenizer(before.save().value());
    REQUIRE(after.ok());
    CHECK(after.value().kind() == kind);
    CHECK(after.value().has_unknown() == before.has_unknown());
    REQUIRE(after.value().vocab_size() == before.vocab_size());
    for (std::uint32_t id = 0; id < before.vocab_size(); ++id) CHECK(after.value().token(id) == before.token(id));
    CHECK(test::encoded(after.value(), kText) == test::encoded(before, kText));
  }
}

TEST_CASE("the file is the same bytes on every machine") {
  const std::string file = trained("abab", TokenizerKind::kBpe, 257).save().value();
  const std::string expected(
      "tied-tok"
      "\1\0\0\0"
      "\2\0\0\0"
      "\0\0\0\0"
      "\1\0\0\0"
      "\x8\0\0\0",
      28);
  CHECK(file.substr(0, 28) == expected);
  CHECK(file.substr(32) == std::string("a\0\0\0b\0\0\0", 8));
  CHECK(file.size() == 40);
}

TEST_CASE("a file truncated anywhere, or with extra bytes, is refused") {
  for (const std::string& file : saved_files()) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      std::string cut = file.substr(0, size);
      const auto refused = load_tokenizer(cut);
      REQUIRE_FALSE(refused.ok());
      CHECK(refused.error().code == ErrorCode::kBadFile);
      repair_hash(cut);
      REQUIRE_FALSE(load_tokenizer(cut).ok());
    }
    std::string longer = file + '\0';
    CHECK_FALSE(load_tokenizer(longer).ok());
    repair_hash(longer);
    CHECK_FALSE(load_tokenizer(longer).ok());
  }
}

TEST_CASE("a single changed byte is detected") {
  for (const std::string& file : saved_files()) {
    for (std::size_t i = 0; i < file.size(); ++i) {
      std::string changed = file;
      changed[i] = static_cast<char>(changed[i] ^ 0x10);
      const auto refused = load_tokenizer(changed);
      REQUIRE_FALSE(refused.ok());
      CHECK(refused.error().code == ErrorCode::kBadFile);
      CHECK(refused.error().message().find("byte") != std::string::npos);
    }
  }
}

TEST_CASE("hostile files are refused or give a working tokenizer") {
  Random random(9, stream_of("test"));
  const auto files = saved_files();
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string file = files[random.below(static_cast<std::uint32_t>(files.size()))];
    const std::uint32_t changes = 1 + random.below(4);
    for (std::uint32_t change = 0; change < changes; ++change) {
      const std::size_t place = 8 + random.below(static_cast<std::uint32_t>(file.size() - 8));
      switch (random.below(4)) {
        case 0:
          file[place] = static_cast<char>(random.below(256));
          break;
        case 1:
          file[place] = static_cast<char>(random.below(2) == 0 ? 0xFF : 0);
          break;
        case 2:
          file.erase(place, 1 + random.below(8));
          break;
        default:
          file.insert(place, 1 + random.below(8), static_cast<char>(random.below(256)));
      }
      if (file.size() < 40) file.resize(40);
    }
    repair_hash(file);
    const auto loaded = load_tokenizer(file);
    if (!loaded.ok()) {
      if (loaded.error().code != ErrorCode::kBadFile) FAIL(loaded.error().message());
      continue;
    }
    ++accepted;
    const Tokenizer& tokenizer = loaded.value();
    std::vector<std::uint32_t> all;
    for (std::uint32_t id = 0; id < tokenizer.vocab_size(); ++id) {
      all.push_back(id);
      if (tokenizer.printable(id).value().empty()) FAIL(id);
    }
    if (!tokenizer.decode(all).ok()) FAIL("decode");
    const auto ids = tokenizer.encode(kText);
    if (ids.ok() && tokenizer.kind() == TokenizerKind::kBpe) REQUIRE(test::decoded(tokenizer, ids.value()) == kText);
  }
  CHECK(accepted > 0);  // otherwise the test would reach only the first checks
}

TEST_CASE("a file cannot request tokens that keep doubling") {
  std::string file = trained("abab", TokenizerKind::kBpe, 257).save().value();
  file.resize(32);
  for (std::uint32_t i = 0; i < 60; ++i) {
    file.append(8, '\0');
    put_number(file, file.size() - 8, i == 0 ? 'a' : 255 + i);
    put_number(file, file.size() - 4, i == 0 ? 'a' : 255 + i);
  }
  put_number(file, 20, 60);
  repair_hash(file);
  const auto refused = load_tokenizer(file);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().value == "merge 8 at byte 96");
  CHECK(refused.error().expected == "tokens of at most 256 bytes");
}

TEST_CASE("a file is refused with its fault") {
  CHECK(load_tokenizer("").error().expected == "a file that begins with tied-tok");
  CHECK(load_tokenizer("{\"model\": {}}").error().value == "not marked as one at byte 0");
  std::string file = trained(kText, TokenizerKind::kWord, 12).save().value();
  put_number(file, 8, 2);
  CHECK(load_tokenizer(file).error().value == "version 2 at byte 8");
  put_number(file, 8, 1);
  put_number(file, 12, 5);
  CHECK(load_tokenizer(file).error().value == "kind 5 at byte 12");
  put_number(file, 12, 1);
  put_number(file, 32, 0xFFFFFFF0u);
  repair_hash(file);
  CHECK(load_tokenizer(file).error().value == "truncated at byte 36");
}

}  // namespace
}  // namespace tied
