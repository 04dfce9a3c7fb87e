// The configuration of a model: its kind, its sizes, and which of its matrices share storage.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"
#include "base/fields.h"
#include "base/record.h"

namespace tied {

enum class ModelKind : std::uint8_t { kDirectPath, kTransformer, kEncoderDecoder };

// The logits z of each tying, where h is the input of the head (for the direct path, the embedding row):
//   tied            z = h E^T
//   untied          z = h U^T
//   tied-linear     z = h M E^T                M [d, d], starts as the identity
//   tied-mlp        z = (h + mlp(h)) E^T       direct path only: a transformer has its own MLPs
//   tied-low-rank   z = h (E + A B^T)^T        A [V, r], B [d, r]; transformer only
enum class Tying : std::uint8_t { kTied, kUntied, kTiedLinear, kTiedMlp, kTiedLowRank };

// Where the input embedding of an encoder is stored. With the tying of the decoder's two tables, five models: three
// tables, two in three ways, or one.
enum class EncoderTable : std::uint8_t { kOwn, kEmbedding, kUnembedding };

// On which side of a limit the input share has to be for the tying to change.
enum class TyingCondition : std::uint8_t { kNone, kAbove, kBelow };

// 'tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank': the names of the public API.
std::string_view tying_name(Tying tying);
// Errors: kInvalidArgument for any other name.
Result<Tying> tying_from_name(std::string_view name);

enum class Norm : std::uint8_t { kRms, kLayer };
enum class Positions : std::uint8_t { kLearned, kNone, kRotary };
enum class FeedForward : std::uint8_t { kGelu, kSwiGlu };
// kFeedForward: only the feed-forward layers have biases. kAll: every inner linear map, and a LayerNorm, as well.
enum class Biases : std::uint8_t { kNone, kFeedForward, kAll };

// A table whose row for a token is added to the token's values in every layer of a transformer, as wide as they are:
//   kOwn   a table of its own, one for all layers
//   kTied  the input embedding, in a third role; it is as wide if every query head has its own key and value head
enum class ValueEmbeddings : std::uint8_t { kNone, kOwn, kTied };

// Where the rows of n-grams are added: to those of the tokens, or there and to the residual stream before every later
// layer, too.
enum class NgramPlaces : std::uint8_t { kInput, kEveryLayer };

// What a model predicts:
//   next-token        each token from those before it
//   masked            hidden tokens from all visible ones: a fixed fraction of each sequence is hidden
//   masked-diffusion  the same, but how many of a sequence of n are hidden is drawn from 1 to n, all equally likely.
//   The
//                     expected loss is then at least minus the log-probability of the sequence per token, averaged over
//                     all orders in which its tokens can be predicted.
// J. Devlin and others, "BERT", 2018 (arXiv 1810.04805); S. Sahoo and others, "Simple and effective masked diffusion
// language models", 2024 (arXiv 2406.07524); S. Nie and others, "Large language diffusion models", 2025 (arXiv
// 2502.09992).
enum class Objective : std::uint8_t { kNextToken, kMasked, kMaskedDiffusion };

// How a head predicts one of the vocab_size tokens:
//   full       a softmax over all logits
//   sampled    trained by a softmax over the target and a few tokens drawn for each batch; predicts as full does
//   adaptive   frequent tokens plus one logit per cluster of rarer ones, whose vectors are narrower
//   clustered  a softmax over clusters, then one over the tokens of a cluster
//   culled     a softmax over the kept tokens only
enum class HeadKind : std::uint8_t { kFull, kSampled, kAdaptive, kClustered, kCulled };

// Clusters of an adaptive head.
inline constexpr std::size_t kMaxCutoffs = 4;

// The weights by which a sampled head draws tokens: log(1 + 1 / (r + 1)) for the r-th most frequent, or counts plus 1.
enum class Proposal : std::uint8_t { kLogUniform, kCounts };

// One more change of the tying, after that of ModelConfig itself: at a step, or once a condition holds.
struct TyingChange {
  // 0: once the condition holds. Its fields are those of ModelConfig; the first block begins `from` steps after the
  // change before this one.
  std::uint64_t at_step = 0;
  TyingCondition condition = TyingCondition::kNone;
  double share = 0;
  std::uint64_t over = 0;
  std::uint64_t from = 0;

  using Answered = Record<&TyingChange::at_step, &TyingChange::condition, &TyingChange::share, &TyingChange::over,
                          &TyingChange::from>;
  using Given = Answered;

  friend bool operator==(const TyingChange&, const TyingChange&) = default;
};
// Including the first.
inline constexpr std::size_t kMaxTyingChanges = 8;

// In place of the index of a layer: no layer.
inline constexpr std::size_t kNoLayer = static_cast<std::size_t>(-1);

// Sizes are 64 bits wide on every machine, so a size that does not fit is refused and never wraps.
// A transformer's defaults are those of the training lab.
struct ModelConfig {
  ModelKind kind = ModelKind::kDirectPath;
  std::uint64_t vocab_size = 0;
  std::uint64_t d_model = 0;
  Tying tying = Tying::kTied;
  // kTied and kUntied only: once the condition holds, one matrix becomes two, or two become one. It is checked for each
  // whole block of `tying_over` steps after the first `tying_from`, and holds if the mean input share of the block is
  // above or below `tying_share`. The tying then changes at the step that ends the block.
  TyingCondition tying_condition = TyingCondition::kNone;
  // Rank r of the correction; tied-low-rank only.
  std::uint64_t low_rank = 0;
  // At most one of the two is not 0, and none with a condition: untie_at_step only with kTied, tie_at_step only with
  // kUntied. The step from `untie_at_step - 1` to `untie_at_step` is the last with a shared matrix; then there are two.
  // tie_at_step: the reverse.
  std::uint64_t untie_at_step = 0;
  std::uint64_t tie_at_step = 0;
  // For the condition; all 0 without one.
  double tying_share = 0;
  std::uint64_t tying_over = 0;
  std::uint64_t tying_from = 0;
  // Changes after the one above, untying and tying in turn. Given steps ascend; at a given step, earlier changes whose
  // condition has not yet held are left out.
  std::uint64_t n_further_changes = 0;
  TyingChange further_changes[kMaxTyingChanges - 1] = {};
  // Whether a looked-up row is multiplied by sqrt(d_model) (never folded into the matrix).
  bool scales_embedding = false;
  // One learned bias per token, added to its logit.
  bool output_bias = false;
  // Standard deviation of the normal initial values of matrices; maps that write into the residual stream start with
  // init_std / sqrt(2 n_layers).
  double init_std = 0.02;
  // Width of hidden layers (tied-mlp, and the transformer's feed-forward); 0 means 4 d_model.
  std::uint64_t d_feed_forward = 0;

  // Transformer and encoder-decoder (of which these are the decoder's sizes, where its two stacks can differ); a direct
  // path ignores them.
  std::uint64_t n_layers = 4;
  std::uint64_t n_heads = 4;
  // Key and value heads, each for n_heads / n_kv_heads query heads; 0 means n_heads.
  std::uint64_t n_kv_heads = 0;
  std::uint64_t context_length = 64;
  Norm norm = Norm::kRms;
  double norm_epsilon = 1e-5;
  Positions positions = Positions::kLearned;
  double rotary_base = 10000;
  FeedForward feed_forward = FeedForward::kGelu;
  bool final_norm = true;
  Biases biases = Biases::kFeedForward;
  // Dropout rate after the embedding, in attention and after each branch, in training only.
  double dropout = 0;

  // Encoder-decoder only; other models ignore them.
  EncoderTable encoder_table = EncoderTable::kOwn;
  std::uint64_t n_encoder_layers = 2;
  // Maximum number of tokens of a source. A target has at most context_length - 1, not counting a token that starts or
  // ends it.
  std::uint64_t source_length = 32;
  std::uint64_t start_token = 0;
  std::uint64_t end_token = 1;
  // Whether logits are divided by sqrt(d_model), as in T5 with tied tables.
  bool scales_logits = false;
  // Frequencies are those of the training tokens; tokens of equal frequency are in the order of their ids. Fields of
  // other heads are 0.
  HeadKind head = HeadKind::kFull;
  Proposal proposal = Proposal::kLogUniform;  // sampled only
  // Sampled: tokens drawn per batch, with replacement.
  std::uint64_t head_samples = 0;
  // Clustered: clusters of V / clusters tokens of similar frequency, rounded down or up.
  std::uint64_t head_clusters = 0;
  // Culled: number of kept tokens.
  std::uint64_t head_kept = 0;
  // Adaptive: how many times narrower the vectors of each cluster are than those of the cluster before.
  std::uint64_t head_divisor = 0;
  // Adaptive: the ranks that begin a cluster of rarer tokens, ascending, then zeros.
  std::uint64_t head_cutoffs[kMaxCutoffs] = {};
  // Factorized tables, r = table_rank: each is a product [V, r] [r, d] of two parameters. 0: tables [V, d]. kTied and
  // kUntied only, without a change of the tying.
  std::uint64_t table_rank = 0;
  // Tables that only read, for the n-grams that end at a position, n = 2 to ngram_order, each of ngram_heads parts
  // [ngram_rows, d / ngram_heads]: see model/ngrams.h. All are 0 without them; transformers only.
  std::uint64_t ngram_order = 0;
  std::uint64_t ngram_rows = 0;
  // 0 means 1.
  std::uint64_t ngram_heads = 0;
  NgramPlaces ngram_places = NgramPlaces::kInput;
  // Transformers only.
  ValueEmbeddings value_embeddings = ValueEmbeddings::kNone;
  // Transformers only. A model that predicts hidden tokens attends to both sides, and has a row for the mask, apart
  // from its tables: see model/masking.h.
  Objective objective = Objective::kNextToken;
  // kMasked only: the fraction of the tokens of a sequence that is hidden.
  double mask_rate = 0.15;

  std::uint64_t feed_forward_width() const { return d_feed_forward == 0 ? 4 * d_model : d_feed_forward; }
  std::uint64_t key_value_heads() const { return n_kv_heads == 0 ? n_heads : n_kv_heads; }
  std::uint64_t head_width() const { return d_model / n_heads; }
  // Width of one row of values.
  std::uint64_t value_width() const { return key_value_heads() * head_width(); }
  // Width of one row of queries, keys and values together.
  std::uint64_t query_key_value_width() const { return (n_heads + 2 * key_value_heads()) * head_width(); }
  bool is_encoder_decoder() const { return kind == ModelKind::kEncoderDecoder; }
  bool has_ngrams() const { return ngram_order != 0; }
  std::uint64_t ngram_parts() const { return ngram_heads == 0 ? 1 : ngram_heads; }
  // Whether the residual stream that enters this layer, from 0, gets them, beyond those of the embedding.
  bool has_ngrams_before(std::size_t layer) const {
    return ngram_places == NgramPlaces::kEveryLayer && layer > 0 && layer < n_layers;
  }
  // Whether what layers keep of a token can move to another position: see Generation.
  bool keeps_beyond_context() const {
    return kind == ModelKind::kDirectPath || (positions != Positions::kLearned && !has_ngrams());
  }
  bool is_masked() const { return objective != Objective::kNextToken; }
  // Ids that a model can read: those of tokens and, after them, that of the mask.
  std::uint64_t readable_ids() const { return vocab_size + (is_masked() ? 1 : 0); }
  bool has_value_embeddings() const { return value_embeddings != ValueEmbeddings::kNone; }
  bool has_tying_condition() const { return tying_condition != TyingCondition::kNone; }
  bool is_factorized() const { return table_rank != 0; }
  // Columns of the parameters with one row per token.
  std::uint64_t table_width() const { return is_factorized() ? table_rank : d_model; }
  // Number of clusters of an adaptive head, their first ranks (V after the last), and the width of their vectors.
  std::size_t tails() const {
    std::size_t count = 0;
    while (count < kMaxCutoffs && head_cutoffs[count] != 0) ++count;
    return count;
  }
  std::uint64_t tail_begin(std::size_t k) const { return k < tails() ? head_cutoffs[k] : vocab_size; }
  std::uint64_t tail_width(std::size_t k) const {
    std::uint64_t width = d_model;
    for (std::size_t i = 0; i <= k; ++i) width /= head_divisor;
    return width;
  }
  // Whether the output vectors of its clusters are narrow tables, not parts of the one table.
  bool has_tail_tables() const { return head == HeadKind::kAdaptive && tying == Tying::kUntied; }
  // Whether each step changes only some rows of the tables: see Parameter::sparse.
  bool has_sparse_updates() const { return head != HeadKind::kFull; }
  bool changes_tying() const { return untie_at_step != 0 || tie_at_step != 0 || has_tying_condition(); }
  bool changes_again() const { return n_further_changes != 0; }
  std::span<const TyingChange> later_changes() const {
    return {further_changes, static_cast<std::size_t>(n_further_changes)};
  }
  // The same model, with the widths and heads that a 0 stands for.
  ModelConfig resolved() const {
    ModelConfig config = *this;
    config.d_feed_forward = feed_forward_width();
    config.n_kv_heads = key_value_heads();
    return config;
  }

  friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

std::span<const Field> fields_of(const ModelConfig& config);

// Errors: kInvalidArgument 'further_changes'.
Status check_further_changes(const ModelConfig& config);

// Largest sizes of any model: their products stay far below 2^64.
inline constexpr std::uint64_t kMaxVocabSize = 0xFFFFFFFFu;
inline constexpr std::uint64_t kMaxWidth = 1u << 20;
inline constexpr std::uint64_t kMaxLayers = 1000;
inline constexpr std::uint64_t kMaxSamples = 1u << 22;
inline constexpr std::uint64_t kMaxNgramOrder = 8;
inline constexpr std::uint64_t kMaxNgramHeads = 64;

// Errors: kUnsupported for a head that the program does not have; kInvalidArgument naming the first invalid field. A
// vocabulary of one token has nothing to predict.
Status validate(const ModelConfig& config);

}  // namespace tied
