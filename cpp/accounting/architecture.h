// A transformer, described as far as counting its parameters, work and bytes needs: any decoder, encoder or
// encoder-decoder.
//
// Every size is explicit; web/core/accounting/model-families.ts fills in the defaults of each family.
#pragma once

#include <cstdint>
#include <span>

#include "base/error.h"
#include "base/fields.h"

namespace tied {

enum class Stack : std::uint8_t { kDecoder, kEncoder, kEncoderDecoder };

// Which token tables share storage. An encoder-decoder has tables for the encoder's input, the decoder's input and the
// output:
//   kTied         one table for every role
//   kUntied       one table per role: two, or three in an encoder-decoder
//   kTiedLinear, kTiedMlp, kTiedLowRank    one table, with a map or correction before the logits: see model/config.h
//   kTiedInputs   encoder-decoder: both inputs share, the output has its own
//   kTiedDecoder  encoder-decoder: the decoder's input and the output share, the encoder has its own
enum class TableTying : std::uint8_t { kTied, kUntied, kTiedLinear, kTiedMlp, kTiedLowRank, kTiedInputs, kTiedDecoder };

// kRelative: T5's biases, `relative_buckets` parameters per head, one table per stack. kRotary stands for all positions
// without parameters (rotary, sinusoidal, ALiBi).
enum class PositionKind : std::uint8_t { kLearned, kRotary, kRelative, kNone };
enum class NormKind : std::uint8_t { kLayer, kRms, kNone };
// kPlain: up and down. kGated: gate, up and down (SwiGLU, GeGLU).
enum class FeedForwardKind : std::uint8_t { kPlain, kGated };
// kHead: one weight vector of head width for queries and one for keys (Qwen3, Gemma 3). kFull: of their whole width
// (OLMo 2).
enum class QueryKeyNorm : std::uint8_t { kNone, kHead, kFull };
// Which linear maps inside the layers have biases. For norms, see `norm_biases`.
enum class BiasKind : std::uint8_t { kNone, kAll, kQueryKeyValue, kFeedForward };

// A table added to the values of every layer, as wide as they are: its own, or the input table. See model/config.h.
enum class ValueTable : std::uint8_t { kNone, kOwn, kTied };

inline constexpr std::uint64_t kMaxCountedOrder = 8;

// A tensor that no field describes, as JavaScript writes it.
struct ListedTensor {
  std::uint64_t rows = 0;  // 0: a vector
  std::uint64_t cols = 0;
  std::uint64_t copies = 0;
  std::uint64_t active_copies = 0;  // copies that one token uses
  std::uint64_t group = 0;          // number of a TensorGroup
};

// Sizes can be anything up to 2^53 - 1: products are counted in 64 bits, and refused if they overflow.
struct Architecture {
  Stack stack = Stack::kDecoder;
  std::uint64_t vocab_size = 0;         // tokens of the input (of the encoder, if there is one)
  std::uint64_t output_vocab_size = 0;  // tokens of the output; input and output can share only if they are equal
  std::uint64_t d_model = 0;
  std::uint64_t n_layers = 0;          // of the decoder, or of the only stack
  std::uint64_t n_encoder_layers = 0;  // of an encoder-decoder's encoder
  std::uint64_t n_heads = 0;
  std::uint64_t n_key_value_heads = 0;  // divides n_heads
  std::uint64_t d_head = 0;             // n_heads d_head need not be d_model
  std::uint64_t d_feed_forward = 0;     // of one expert, if there are experts
  FeedForwardKind feed_forward = FeedForwardKind::kPlain;
  // Mixture of experts: all but the first n_dense_layers layers have n_experts routed feed-forward parts, of which a
  // router [n_experts, d_model] selects n_active_experts per token, and n_shared_experts that every token uses. 0 =
  // none.
  std::uint64_t n_experts = 0;
  std::uint64_t n_active_experts = 0;
  std::uint64_t n_shared_experts = 0;
  std::uint64_t n_dense_layers = 0;
  std::uint64_t d_dense_feed_forward = 0;  // of the dense layers
  PositionKind positions = PositionKind::kNone;
  std::uint64_t context_length = 0;    // rows of learned positions
  std::uint64_t relative_buckets = 0;  // of kRelative
  std::uint64_t n_segments = 0;        // rows of a table of segments (BERT: 2)
  NormKind norm = NormKind::kLayer;
  bool norm_biases = false;           // of kLayer
  std::uint64_t norms_per_layer = 2;  // the decoder of an encoder-decoder has one more, for cross-attention
  QueryKeyNorm query_key_norm = QueryKeyNorm::kNone;
  bool embedding_norm = false;
  bool final_norm = true;  // of each stack
  BiasKind biases = BiasKind::kNone;
  bool fused_query_key_value = false;  // one matrix for all three, as in our own models and GPT-2: affects names only
  bool head_transform = false;         // BERT: a map [d, d] with bias, and a norm, before the output table
  bool output_bias = false;            // one bias per output token
  std::uint64_t low_rank = 0;          // of kTiedLowRank
  // Rank r of factorized tables, each a product [V, r] [r, d]; 0: tables [V, d]. Not with a map or a correction before
  // the logits.
  std::uint64_t table_rank = 0;
  // Tables that only read, for the n-grams of the input, n = 2 to ngram_order (at most kMaxCountedOrder), each
  // [ngram_rows, d_model]; both 0 without them.
  std::uint64_t ngram_order = 0;
  std::uint64_t ngram_rows = 0;
  // Of a single stack.
  ValueTable value_embeddings = ValueTable::kNone;
  // If there are any, they are all tensors but the token tables and what lies between the last layer and the output
  // table; of the layers, the fields then describe only the number.
  std::span<const ListedTensor> listed = {};
};

std::span<const Field> fields_of(const Architecture& architecture);

// Errors: kInvalidArgument, naming the first invalid field: a required size of 0 (layers may be 0); key-value heads
// that do not divide the heads; more active experts than experts; expert fields without experts; sizes above 2^53 - 1,
// also of the query, key and value heads together.
Status validate(const Architecture& architecture);

// Errors: those of validate(architecture); kInvalidArgument if this architecture cannot share in that way: different
// vocabularies, or an encoder-decoder's tying on a single stack.
Status validate(const Architecture& architecture, TableTying tying);

}  // namespace tied
