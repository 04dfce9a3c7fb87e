// What a transformer is, as far as its parameters, its work and its bytes go: any decoder, encoder or encoder-decoder.
//
// Every size is given; what a family has where nothing else is said is decided in web/core/model-families.ts.
#pragma once

#include <cstdint>

#include "base/error.h"

namespace tied {

enum class Stack : std::uint8_t { kDecoder, kEncoder, kEncoderDecoder };

// Which token tables share storage. For an encoder-decoder the tables are those of the encoder's input, of the
// decoder's input and of the output:
//   kTied         one table for every role
//   kUntied       a table for each role: two, or three in an encoder-decoder
//   kTiedLinear, kTiedMlp, kTiedLowRank    one table and what stands between it and the logits, see model/config.h
//   kTiedInputs   encoder-decoder: both inputs share, the output has its own
//   kTiedDecoder  encoder-decoder: the decoder's input and the output share, the encoder has its own
enum class TableTying : std::uint8_t { kTied, kUntied, kTiedLinear, kTiedMlp, kTiedLowRank, kTiedInputs, kTiedDecoder };

// kRelative: T5's biases, `relative_buckets` numbers a head, one table a stack. What has no parameters (rotary,
// sinusoidal, ALiBi) is alike here.
enum class PositionKind : std::uint8_t { kLearned, kRotary, kRelative, kNone };
enum class NormKind : std::uint8_t { kLayer, kRms, kNone };
// kPlain: up and down. kGated: gate, up and down (SwiGLU, GeGLU).
enum class FeedForwardKind : std::uint8_t { kPlain, kGated };
// kHead: one weight for the width of a head, for queries and for keys (Qwen3, Gemma 3). kFull: of their whole width
// (OLMo 2).
enum class QueryKeyNorm : std::uint8_t { kNone, kHead, kFull };
// Which linear maps inside the layers have biases. Whether norms have, `norm_biases` says.
enum class BiasKind : std::uint8_t { kNone, kAll, kQueryKeyValue, kFeedForward };

// Sizes may be anything up to 2^53: products are counted in 64 bits and refused where those are not enough.
struct Architecture {
  Stack stack = Stack::kDecoder;
  std::uint64_t vocab_size = 0;         // tokens read (by the encoder, where there is one)
  std::uint64_t output_vocab_size = 0;  // tokens written; where it is not vocab_size, input and output cannot share
  std::uint64_t d_model = 0;
  std::uint64_t n_layers = 0;          // of the decoder, or of an encoder alone
  std::uint64_t n_encoder_layers = 0;  // of an encoder-decoder's encoder
  std::uint64_t n_heads = 0;
  std::uint64_t n_key_value_heads = 0;  // divides n_heads
  std::uint64_t d_head = 0;             // n_heads d_head need not be d_model
  std::uint64_t d_feed_forward = 0;     // of one expert, where there are experts
  FeedForwardKind feed_forward = FeedForwardKind::kPlain;
  // Mixture of experts: all but the first n_dense_layers layers have n_experts feed-forward parts, of which a router
  // [n_experts, d_model] takes n_active_experts for each token, and n_shared_experts that every token takes. 0 = none.
  std::uint64_t n_experts = 0;
  std::uint64_t n_active_experts = 0;
  std::uint64_t n_shared_experts = 0;
  std::uint64_t n_dense_layers = 0;
  std::uint64_t d_dense_feed_forward = 0;  // of those layers
  PositionKind positions = PositionKind::kNone;
  std::uint64_t context_length = 0;    // rows of learned positions
  std::uint64_t relative_buckets = 0;  // of kRelative
  std::uint64_t n_segments = 0;        // rows of a table of segments (BERT: 2)
  NormKind norm = NormKind::kLayer;
  bool norm_biases = false;           // of kLayer
  std::uint64_t norms_per_layer = 2;  // an encoder-decoder's decoder has one more, for its look at the encoder
  QueryKeyNorm query_key_norm = QueryKeyNorm::kNone;
  bool embedding_norm = false;
  bool final_norm = true;  // of each stack
  BiasKind biases = BiasKind::kNone;
  bool fused_query_key_value = false;  // one matrix of all three, as our own models and GPT-2 have it: names only
  bool head_transform = false;         // BERT: a map [d, d] with bias and a norm before the table
  bool output_bias = false;            // one number a token written
  std::uint64_t low_rank = 0;          // of kTiedLowRank
};

// Errors: kInvalidArgument naming the first field that makes no model: a size of 0 where there must be one (layers may
// be 0), key-value heads that do not divide the heads, more experts at work than there are, experts' fields where there
// are none, sizes above 2^53 - 1, also of all heads of queries, keys and values together.
Status validate(const Architecture& architecture);

// Errors: kInvalidArgument where this architecture cannot share in that way: different vocabularies, or a way of
// encoder-decoders for a model of one stack.
Status validate(const Architecture& architecture, TableTying tying);

}  // namespace tied
