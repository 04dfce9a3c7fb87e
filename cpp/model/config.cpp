#include "model/config.h"

#include <iterator>
#include <limits>

#include "model/encoder_decoder.h"
#include "model/head.h"
#include "model/masking.h"

namespace tied {
namespace {

constexpr auto kInvalid = ErrorCode::kInvalidArgument;

constexpr std::string_view kKinds[] = {"direct-path", "transformer", "encoder-decoder"};
constexpr std::string_view kTyings[] = {"tied", "untied", "tied-linear", "tied-mlp", "tied-low-rank"};
constexpr std::string_view kEmbeddingScales[] = {"none", "sqrt-d-model"};
constexpr std::string_view kNorms[] = {"rms-norm", "layer-norm"};
constexpr std::string_view kPositions[] = {"learned", "none", "rotary"};
constexpr std::string_view kFeedForwards[] = {"gelu", "swiglu"};
constexpr std::string_view kBiases[] = {"none", "feed-forward", "all"};

constexpr std::string_view kConditions[] = {"none", "above", "below"};
constexpr std::string_view kEncoderTables[] = {"own", "embedding", "unembedding"};
constexpr std::string_view kLogitScales[] = {"none", "inverse-sqrt-d-model"};
constexpr std::string_view kHeads[] = {"full", "sampled", "adaptive", "clustered", "culled"};
constexpr std::string_view kProposals[] = {"log-uniform", "counts"};
constexpr std::string_view kValueEmbeddings[] = {"none", "own", "tied"};
constexpr std::string_view kNgramPlaces[] = {"input", "every-layer"};

constexpr std::string_view kObjectives[] = {"next-token", "masked", "masked-diffusion"};

constexpr double kAboveZero = std::numeric_limits<double>::denorm_min();
constexpr double kBelowOne = 1 - 0x1p-53;

// Which models have a field.
template <class... Choices>
consteval Condition kind_is(Choices... kinds) {
  return {offsetof(ModelConfig, kind), values_of(kinds...)};
}
consteval Condition tying_is(Tying tying) { return {offsetof(ModelConfig, tying), values_of(tying)}; }
consteval Condition head_is(HeadKind head) { return {offsetof(ModelConfig, head), values_of(head)}; }

constexpr Condition kPairs = kind_is(ModelKind::kEncoderDecoder);
constexpr Condition kTexts = kind_is(ModelKind::kDirectPath, ModelKind::kTransformer);
constexpr Condition kLayers = kind_is(ModelKind::kTransformer, ModelKind::kEncoderDecoder);
constexpr Condition kTransformer = kind_is(ModelKind::kTransformer);
constexpr Condition kSampled = head_is(HeadKind::kSampled);
constexpr Condition kAdaptive = head_is(HeadKind::kAdaptive);
constexpr Condition kMasked = {offsetof(ModelConfig, objective), values_of(Objective::kMasked)};
constexpr Condition kRotary = {offsetof(ModelConfig, positions), values_of(Positions::kRotary)};

template <std::size_t kIndex>
consteval Field cutoff_field(const char* path) {
  static_assert(kIndex < kMaxCutoffs);
  constexpr std::size_t kOffset = offsetof(ModelConfig, head_cutoffs) + kIndex * sizeof(std::uint64_t);
  return Field{"head_cutoffs", FieldKind::kWhole, kOffset}.optional().at(path).only_if(kAdaptive);
}

// A file has the tying of its weights, without later changes.
#define TIED_CHANGE(member, path) Field{TIED_FIELD(ModelConfig, member)}.not_in_json().at(path)

// Together with the limits on widths and vocabulary, these limits keep every memory size below 2^62; the limit of
// init_std keeps any sum of squares far from infinity. A field stands after those that its conditions read.
constexpr Field kFields[] = {
    Field{TIED_FIELD(ModelConfig, kind)}.one_of(kKinds).required(),
    Field{TIED_FIELD(ModelConfig, vocab_size)}.range(2, kMaxVocabSize).required(),
    Field{TIED_FIELD(ModelConfig, d_model)}.range(1, kMaxWidth).required(),
    Field{TIED_FIELD(ModelConfig, tying)}.one_of(kTyings).required(),
    TIED_CHANGE(untie_at_step, "tying.untieAtStep"),
    TIED_CHANGE(tie_at_step, "tying.tieAtStep"),
    TIED_CHANGE(tying_condition, "tying.condition").one_of(kConditions),
    TIED_CHANGE(tying_share, "tying.share").range(0, 1),
    TIED_CHANGE(tying_over, "tying.over").range(0, 0x1p53),
    TIED_CHANGE(tying_from, "tying.from").range(0, 0x1p53),
    Field{TIED_FIELD(ModelConfig, scales_embedding)}.one_of(kEmbeddingScales).at("embeddingScale"),
    Field{TIED_FIELD(ModelConfig, output_bias)}.range(0, 1),
    Field{TIED_FIELD(ModelConfig, init_std)}.range(kAboveZero, 1e6).not_in_json(),
    Field{TIED_FIELD(ModelConfig, low_rank)}.range(0, kMaxWidth).optional().only_if(tying_is(Tying::kTiedLowRank)),
    Field{TIED_FIELD(ModelConfig, d_feed_forward)}
        .range(0, kMaxWidth)
        .optional()
        .only_if(kLayers, tying_is(Tying::kTiedMlp)),
    Field{TIED_FIELD(ModelConfig, n_layers)}.range(1, kMaxLayers).only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, n_heads)}.range(1, kMaxWidth).only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, n_kv_heads)}.range(0, kMaxWidth).optional().at("nKeyValueHeads").only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, context_length)}.range(1, kMaxWidth).only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, norm)}.one_of(kNorms).only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, norm_epsilon)}.range(kAboveZero, 1).only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, positions)}.one_of(kPositions).only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, rotary_base)}.range(1, 1e12).only_if(kRotary),
    Field{TIED_FIELD(ModelConfig, feed_forward)}.one_of(kFeedForwards).only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, final_norm)}.range(0, 1).only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, biases)}.one_of(kBiases).only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, dropout)}.range(0, kBelowOne).not_in_json().only_if(kLayers),
    Field{TIED_FIELD(ModelConfig, encoder_table)}.one_of(kEncoderTables).at("encoderTable").only_if(kPairs),
    Field{TIED_FIELD(ModelConfig, n_encoder_layers)}.range(1, kMaxLayers).only_if(kPairs),
    Field{TIED_FIELD(ModelConfig, source_length)}.range(1, kMaxWidth).only_if(kPairs),
    Field{TIED_FIELD(ModelConfig, start_token)}.range(0, kMaxVocabSize).only_if(kPairs),
    Field{TIED_FIELD(ModelConfig, end_token)}.range(0, kMaxVocabSize).only_if(kPairs),
    Field{TIED_FIELD(ModelConfig, scales_logits)}.one_of(kLogitScales).at("logitScale").only_if(kPairs),
    Field{TIED_FIELD(ModelConfig, table_rank)}.range(0, kMaxWidth).optional().only_if(kTexts),
    Field{TIED_FIELD(ModelConfig, head)}.one_of(kHeads).omitted().at("head.kind").only_if(kTexts),
    Field{TIED_FIELD(ModelConfig, head_samples)}.range(0, kMaxSamples).optional().at("head.samples").only_if(kSampled),
    Field{TIED_FIELD(ModelConfig, proposal)}.one_of(kProposals).at("head.proposal").only_if(kSampled),
    Field{TIED_FIELD(ModelConfig, head_clusters)}.optional().at("head.clusters").only_if(head_is(HeadKind::kClustered)),
    Field{TIED_FIELD(ModelConfig, head_kept)}.optional().at("head.kept").only_if(head_is(HeadKind::kCulled)),
    cutoff_field<0>("head.cutoffs.0"),
    cutoff_field<1>("head.cutoffs.1"),
    cutoff_field<2>("head.cutoffs.2"),
    cutoff_field<3>("head.cutoffs.3"),
    Field{TIED_FIELD(ModelConfig, head_divisor)}.optional().at("head.divisor").only_if(kAdaptive),
    Field{TIED_FIELD(ModelConfig, ngram_order)}
        .range(0, kMaxNgramOrder)
        .optional()
        .at("ngrams.order")
        .only_if(kTransformer),
    Field{TIED_FIELD(ModelConfig, ngram_rows)}
        .range(0, kMaxVocabSize)
        .optional()
        .at("ngrams.rows")
        .only_if(kTransformer),
    Field{TIED_FIELD(ModelConfig, ngram_heads)}
        .range(0, kMaxNgramHeads)
        .optional()
        .at("ngrams.heads")
        .only_if(kTransformer),
    Field{TIED_FIELD(ModelConfig, ngram_places)}
        .one_of(kNgramPlaces)
        .omitted()
        .at("ngrams.places")
        .only_if(kTransformer),
    Field{TIED_FIELD(ModelConfig, value_embeddings)}.one_of(kValueEmbeddings).omitted().only_if(kTransformer),
    Field{TIED_FIELD(ModelConfig, objective)}.one_of(kObjectives).omitted().only_if(kTransformer),
    Field{TIED_FIELD(ModelConfig, mask_rate)}.range(kAboveZero, 1).only_if(kMasked),
};

Status check_tying_condition(const ModelConfig& config) {
  if (!config.has_tying_condition()) {
    if (config.tying_over == 0 && config.tying_from == 0 && config.tying_share == 0) return {};
    return make_error(kInvalid, "tying_over", config.tying_over, "0 without a condition");
  }
  if (config.tying != Tying::kTied && config.tying != Tying::kUntied) {
    return make_error(kInvalid, "tying", tying_name(config.tying), "'tied' or 'untied', which a condition can change");
  }
  if (config.untie_at_step != 0) {
    return make_error(kInvalid, "untie_at_step", config.untie_at_step, "0: a condition changes the tying");
  }
  if (config.tie_at_step != 0) {
    return make_error(kInvalid, "tie_at_step", config.tie_at_step, "0: a condition changes the tying");
  }
  if (config.tying_over == 0) return make_error(kInvalid, "tying_over", config.tying_over, "at least one step");
  return {};
}

Status check_tying(const ModelConfig& config) {
  const bool direct = config.kind == ModelKind::kDirectPath;
  if (config.tying == (direct ? Tying::kTiedLowRank : Tying::kTiedMlp)) {
    return make_error(kInvalid, "tying", tying_name(config.tying),
                      direct ? "one that a direct path has: 'tied', 'untied', 'tied-linear' or 'tied-mlp'"
                             : "one that a transformer has: 'tied', 'untied', 'tied-linear' or 'tied-low-rank'");
  }
  if (config.tying == Tying::kTiedLowRank) {
    if (config.low_rank < 1 || config.low_rank > config.d_model) {
      return make_error(kInvalid, "low_rank", config.low_rank, "1 to d_model");
    }
  } else if (config.low_rank != 0) {
    return make_error(kInvalid, "low_rank", config.low_rank, "0: only 'tied-low-rank' has a rank");
  }
  if (config.untie_at_step != 0 && config.tying != Tying::kTied) {
    return make_error(kInvalid, "untie_at_step", config.untie_at_step, "0: only 'tied' can be untied later");
  }
  if (config.tie_at_step != 0 && config.tying != Tying::kUntied) {
    return make_error(kInvalid, "tie_at_step", config.tie_at_step, "0: only 'untied' can be tied later");
  }
  return check_tying_condition(config);
}

// A vector has at least one element, and the table of an untied model, which has other shapes, cannot be joined with
// the input's.
Status check_cutoffs(const ModelConfig& config) {
  const bool adaptive = config.head == HeadKind::kAdaptive;
  std::uint64_t least = adaptive ? 1 : 0;
  for (std::size_t i = 0; i < kMaxCutoffs; ++i) {
    const std::uint64_t cutoff = config.head_cutoffs[i];
    if (cutoff == 0 && (i > 0 || !adaptive)) {
      least = config.vocab_size;  // only zeros
      continue;
    }
    if (!adaptive) return make_error(kInvalid, "head_cutoffs", cutoff, "0, for another head");
    if (cutoff < least || cutoff >= config.vocab_size) {
      return make_error(kInvalid, "head_cutoffs", cutoff, "ascending ranks below vocab_size, then zeros");
    }
    if (config.tail_width(i) == 0) {
      return make_error(kInvalid, "head_divisor", config.head_divisor,
                        "vectors of at least one element in all clusters");
    }
    least = cutoff + 1;
  }
  if (adaptive && config.changes_tying()) {
    return make_error(kInvalid, "tying", tying_name(config.tying), "one that does not change, for an adaptive head");
  }
  return {};
}

Status check_ngrams(const ModelConfig& config) {
  const bool has = config.ngram_order != 0;
  if (has && config.kind != ModelKind::kTransformer) {
    return make_error(kInvalid, "ngram_order", config.ngram_order, "0: only transformers read n-grams");
  }
  if (has && (config.ngram_order < 2 || config.ngram_order > kMaxNgramOrder)) {
    return make_error(kInvalid, "ngram_order", config.ngram_order, "2 to " + text_of(kMaxNgramOrder) + ", or 0");
  }
  if (has ? config.ngram_rows < 1 || config.ngram_rows > kMaxVocabSize : config.ngram_rows != 0) {
    return make_error(kInvalid, "ngram_rows", config.ngram_rows, has ? "1 to 4294967295" : "0, without n-grams");
  }
  if (has ? config.d_model % config.ngram_parts() != 0 : config.ngram_heads != 0) {
    return make_error(kInvalid, "ngram_heads", config.ngram_heads, has ? "a divisor of d_model" : "0, without n-grams");
  }
  if (!has && config.ngram_places != NgramPlaces::kInput) {
    return make_error(kInvalid, "ngram_places", kNgramPlaces[static_cast<std::size_t>(config.ngram_places)],
                      "'input', without n-grams");
  }
  return {};
}

Status check_table_rank(const ModelConfig& config) {
  if (config.table_rank == 0) return {};
  if (config.table_rank > config.d_model) {
    return make_error(kInvalid, "table_rank", config.table_rank, "0 to d_model");
  }
  if (config.is_encoder_decoder() || config.head == HeadKind::kAdaptive) {
    return make_error(kInvalid, "table_rank", config.table_rank,
                      "0 for an encoder-decoder and for an adaptive head, whose tables have widths of their own");
  }
  if ((config.tying != Tying::kTied && config.tying != Tying::kUntied) || config.changes_tying()) {
    return make_error(kInvalid, "tying", tying_name(config.tying),
                      "'tied' or 'untied', without a change, for factorized tables");
  }
  return {};
}

// Checks the output head; check_heads is about attention.
Status check_output_head(const ModelConfig& config) {
  if (!has_head(config.head)) {
    return make_error(ErrorCode::kUnsupported, "head", static_cast<std::uint64_t>(config.head), "0");
  }
  const struct {
    HeadKind kind;
    const char* name;
    std::uint64_t value;
    std::uint64_t least;
    std::uint64_t most;
  } sizes[] = {{HeadKind::kSampled, "head_samples", config.head_samples, 1, kMaxSamples},
               {HeadKind::kClustered, "head_clusters", config.head_clusters, 2, config.vocab_size},
               {HeadKind::kCulled, "head_kept", config.head_kept, 1, config.vocab_size},
               {HeadKind::kAdaptive, "head_divisor", config.head_divisor, 1, config.d_model}};
  for (const auto& [kind, name, value, least, most] : sizes) {
    const bool has = kind == config.head;
    if (value >= (has ? least : 0) && value <= (has ? most : 0)) continue;
    return make_error(kInvalid, name, value, has ? text_of(least) + " to " + text_of(most) : "0, for another head");
  }
  if (config.head != HeadKind::kFull && config.is_encoder_decoder()) {
    return make_error(ErrorCode::kUnsupported, "head", static_cast<std::uint64_t>(config.head),
                      "0: the full head, for an encoder-decoder");
  }
  if (Status status = check_cutoffs(config); !status) return status;
  if (Status status = check_table_rank(config); !status) return status;
  if (Status status = check_ngrams(config); !status) return status;
  if (config.proposal != Proposal::kLogUniform && config.head != HeadKind::kSampled) {
    return make_error(kInvalid, "proposal", "counts", "'log-uniform', for another head than a sampled one");
  }
  if (config.head != HeadKind::kFull && config.tying == Tying::kTiedLowRank) {
    return make_error(kInvalid, "tying", tying_name(config.tying), "another tying: only a full head has this one");
  }
  return {};
}

Status check_value_embeddings(const ModelConfig& config) {
  if (!config.has_value_embeddings()) return {};
  const std::string_view word = kValueEmbeddings[static_cast<std::size_t>(config.value_embeddings)];
  const auto refuse = [&](std::string_view expected) {
    return make_error(kInvalid, "value_embeddings", word, expected);
  };
  if (config.kind != ModelKind::kTransformer) return refuse("'none': only transformers have them");
  if (config.value_embeddings == ValueEmbeddings::kOwn) return {};
  if (config.is_factorized()) return refuse("'none' or 'own' with factorized tables");
  if (config.value_width() != config.d_model) {
    return refuse("'none' or 'own' with n_kv_heads below n_heads: values are narrower than the embedding");
  }
  return {};
}

Status check_heads(const ModelConfig& config) {
  if (config.n_heads < 1 || config.n_heads > config.d_model || config.d_model % config.n_heads != 0) {
    return make_error(kInvalid, "n_heads", config.n_heads, "a divisor of d_model, " + text_of(config.d_model));
  }
  if (config.key_value_heads() > config.n_heads || config.n_heads % config.key_value_heads() != 0) {
    return make_error(kInvalid, "n_kv_heads", config.n_kv_heads, "a divisor of n_heads, " + text_of(config.n_heads));
  }
  if (config.positions == Positions::kRotary && config.head_width() % 2 != 0) {
    return make_error(
        kInvalid, "n_heads", config.n_heads,
        "heads of an even width for rotary positions; d_model / n_heads is " + text_of(config.head_width()));
  }
  return {};
}

}  // namespace

std::span<const Field> fields_of(const ModelConfig&) { return kFields; }

std::string_view tying_name(Tying tying) { return kTyings[static_cast<std::size_t>(tying)]; }

Result<Tying> tying_from_name(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kTyings); ++i) {
    if (kTyings[i] == name) return static_cast<Tying>(i);
  }
  return make_error(kInvalid, "tying", name, "'tied', 'untied', 'tied-linear', 'tied-mlp' or 'tied-low-rank'");
}

Status validate(const ModelConfig& config) {
  if (Status status = check_fields(config); !status) return status;
  if (Status status = check_tying(config); !status) return status;
  if (Status status = check_further_changes(config); !status) return status;
  if (Status status = check_output_head(config); !status) return status;
  if (config.is_masked()) {
    if (Status status = check_masked(config); !status) return status;
  }
  if (config.kind == ModelKind::kDirectPath) return check_value_embeddings(config);
  // Not is_encoder_decoder(): a program without them refuses the kind.
  if (config.kind == ModelKind::kEncoderDecoder) {
    if (Status status = check_encoder_decoder(config); !status) return status;
  }
  if (Status status = check_heads(config); !status) return status;
  return check_value_embeddings(config);
}

}  // namespace tied
