// Real texts, if they are present next to the project.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "linalg/reduce.h"
#include "support.h"
#include "text/bigrams.h"

namespace tied {
namespace {

using test::corpus;
using test::encoded;
using test::round_trip;
using test::trained;

TEST_CASE("tiny-shakespeare has 65 characters, and bigram entropies as published for it") {
  const std::string text = corpus("tiny-shakespeare.txt");
  if (text.empty()) return;
  const Tokenizer tokenizer = trained(text, TokenizerKind::kCharacter);
  CHECK(tokenizer.vocab_size() == 65);
  const auto ids = encoded(tokenizer, text);
  CHECK(ids.size() == 1115394);
  CHECK(test::decoded(tokenizer, ids) == text);

  auto counting = BigramCounting::create(65);
  REQUIRE(counting.ok());
  REQUIRE(counting.value().count(ids).ok());
  counting.value().sum_up(65);
  const ConstMatrixView<float> counts = counting.value().counts().view();
  double bigram = 0;
  const double total = counting.value().total();
  CHECK(total == 1115393);
  for (std::size_t i = 0; i < 65; ++i) {
    const double row_total = sum(counts.row(i), 65);
    for (std::size_t j = 0; j < 65; ++j) {
      const double count = static_cast<double>(counts(i, j));
      if (count > 0) bigram -= count / total * std::log(count / row_total);
    }
  }
  CHECK(std::round(bigram * 1e4) == 24526);
  // ||J - J^T|| / ||J + J^T|| = .587 (to three places) is asymmetry .587 / sqrt(1 + .587^2).
  CHECK(counting.value().asymmetry() == doctest::Approx(.587 / std::sqrt(1 + .587 * .587)).epsilon(1e-3));
}

TEST_CASE("every corpus round-trips exactly through bpe, and through words if all are known") {
  for (const char* name : {"tiny-shakespeare.txt", "new-york-novels.txt", "wikitext-2-valid.txt", "names.txt",
                           "state-of-the-union-1945-2006.txt", "tatoeba-english-12-languages.tsv"}) {
    const std::string text = corpus(name);
    if (text.empty()) continue;
    CAPTURE(name);
    const Tokenizer bpe = trained(text, TokenizerKind::kBpe, 1024);
    CHECK(bpe.vocab_size() == 1024);
    CHECK((round_trip(bpe, text) == text));
    const Tokenizer words = trained(text, TokenizerKind::kWord, 1000000);
    CHECK((round_trip(words, text) == text));
  }
}

TEST_CASE("tiny-shakespeare in 512 tokens of its own characters is about as long as in the reference experiments") {
  const std::string text = corpus("tiny-shakespeare.txt");
  if (text.empty()) return;
  const auto tokenizer =
      train_tokenizer(text, {.kind = TokenizerKind::kBpe, .vocab_size = 512, .alphabet = Alphabet::kText});
  REQUIRE(tokenizer);
  CHECK(tokenizer.value().vocab_size() == 512);
  const auto ids = encoded(tokenizer.value(), text);
  // 516,604 if every newline is a piece; here several in a row form one piece.
  CHECK(static_cast<double>(ids.size()) == doctest::Approx(516604).epsilon(0.01));
  CHECK(test::decoded(tokenizer.value(), ids) == text);
}

TEST_CASE("in the novels, York follows New and is never followed by it") {
  const std::string text = corpus("new-york-novels.txt");
  if (text.empty()) return;
  const Tokenizer tokenizer = trained(text, TokenizerKind::kWord, 2000);
  CHECK(tokenizer.vocab_size() == 2000);
  const auto counts = count_bigrams(encoded(tokenizer, text), 2000);
  REQUIRE(counts.ok());
  const std::uint32_t new_id = encoded(tokenizer, "New").at(0);
  const std::uint32_t york_id = encoded(tokenizer, "York").at(0);
  const double after_new = sum(counts.value().view().row(new_id), 2000);
  CHECK(counts.value()(york_id, new_id) == 0);
  CHECK(static_cast<double>(counts.value()(new_id, york_id)) / after_new == doctest::Approx(0.87).epsilon(0.01));
}

TEST_CASE("merges of tiny-shakespeare are the same on every machine") {
  const std::string text = corpus("tiny-shakespeare.txt");
  if (text.empty()) return;
  const Tokenizer tokenizer = trained(text, TokenizerKind::kBpe, 512);
  CHECK(test::hash_of(tokenizer.save().value()) == 12502511413220676312u);
  CHECK(test::hash_of(encoded(tokenizer, text)) == 9810183890473072515u);
}

}  // namespace
}  // namespace tied
