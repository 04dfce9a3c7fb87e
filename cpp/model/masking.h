// Models that predict hidden tokens from all visible ones. In core.wasm, core_models.cpp replaces masking.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "model/config.h"

namespace tied {

// Such a model has one parameter of its own, `mask_embedding` [1, d], read as the row of the id vocab_size. It is no
// row of the tables: nothing predicts it, so a softmax over the tokens has no place for it, and tying concerns the same
// rows as in any other model. A batch for its loss has this id in `inputs` where a token is hidden, and in `targets`
// the hidden tokens, with kNotPredicted elsewhere; a sequence has at least one hidden token. With H_s the places of the
// hidden tokens of sequence s, all sequences counting alike, the loss is
//   mean over s of  1 / |H_s|  sum_{i in H_s} -log P(t_i | the visible tokens of s)

// Hides tokens of one sequence of n: `targets` has its tokens, and becomes what the loss reads, as `inputs` does.
// |H_s| is n mask_rate, rounded, at least 1; with kMaskedDiffusion it is 1 to n, all equally likely. All choices of so
// many places are equally likely. The draws are those of `key` alone.
void hide_tokens(std::uint32_t* inputs, std::uint32_t* targets, std::size_t n, const ModelConfig& config,
                 std::uint64_t key);

// A key that depends on the tokens only, so that every evaluation of a text hides the same ones.
std::uint64_t evaluation_key(const std::uint32_t* tokens, std::size_t n);

// For verbs that continue a text. kUnsupported.
Status reads_both_sides();

// `config`: one with is_masked(). Errors: kUnsupported if the program has no such models; kInvalidArgument naming a
// field that they cannot have.
Status check_masked(const ModelConfig& config);

}  // namespace tied
