// Rows of a factorized table, A F with A [V, r] and F [r, d]: see ModelConfig::table_rank.
#pragma once

#include <cstdint>

#include "model/end_parameters.h"
#include "model/parameter_store.h"

namespace tied {

inline bool is_factorized(const EndParameters& ends) { return ends.embedding_factor != kNoParameter; }

// out [n, d] = A[tokens] F. rows: a buffer of n r elements.
template <class T>
void look_up_factorized(const MatrixView<T>& out, const std::uint32_t* tokens, const ParameterStore<T>& parameters,
                        const EndParameters& ends, T* rows);

// Adds the gradients of A and F from that of `out`, in the order of the rows. Two buffers of n r elements.
template <class T>
void scatter_factorized(const MatrixView<T>& out_gradient, const std::uint32_t* tokens, ParameterStore<T>& parameters,
                        const EndParameters& ends, T* rows, T* rows_gradient);

}  // namespace tied
