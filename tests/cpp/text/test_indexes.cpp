#include <doctest/doctest.h>

#include <map>
#include <string>

#include "support.h"
#include "text/pair_index.h"
#include "text/string_index.h"

namespace tied {
namespace {

TEST_CASE("a string index numbers distinct strings in order of insertion, as a map does") {
  Random random(1, stream_of("test"));
  StringIndex index;
  std::map<std::string, std::uint32_t> twin;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = test::random_bytes(random, random.below(3));
    const auto [entry, is_new] = twin.emplace(text, static_cast<std::uint32_t>(twin.size()));
    CHECK(index.find(text) == (is_new ? StringIndex::kNone : entry->second));
    CHECK(index.add(text) == entry->second);
  }
  CHECK(index.size() == twin.size());
  for (const auto& [text, number] : twin) {
    CHECK(index.find(text) == number);
    CHECK(index.at(number) == text);
  }
}

TEST_CASE("a string index finds the first of appended duplicates, also after growing") {
  StringIndex index;
  CHECK(index.find("x") == StringIndex::kNone);
  CHECK(index.append("twin") == 0);
  CHECK(index.append("twin") == 1);
  for (int i = 0; i < 1000; ++i) index.append("word" + std::to_string(i));
  CHECK(index.find("twin") == 0);
  CHECK(index.at(1) == "twin");
  CHECK(index.size() == 1002);
  CHECK(index.find("word999") == 1001);
}

TEST_CASE("a pair index stores the first number of a pair, as a map does") {
  Random random(2, stream_of("test"));
  PairIndex index;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> twin;
  CHECK(index.find({1, 2}) == PairIndex::kNone);
  for (std::uint32_t i = 0; i < 20000; ++i) {
    const TokenPair pair{random.below(120), random.below(120)};
    const auto entry = twin.emplace(std::pair(pair.left, pair.right), i).first;
    CHECK(index.find_or_insert(pair, i) == entry->second);
  }
  CHECK(index.size() == twin.size());
  for (const auto& [pair, number] : twin) CHECK(index.find({pair.first, pair.second}) == number);
  CHECK(index.find({120, 0}) == PairIndex::kNone);
}

}  // namespace
}  // namespace tied
