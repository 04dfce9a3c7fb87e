/**
 * Bytes of a token table that MLX packs in its affine mode, as both are by default, shared or not: groups of 64 values, each with a scale and an
 * offset in 16 bits (mlx/ops.cpp, affine_quantize; nn.QuantizedEmbedding).
 */
export const MLX_GROUP = 64;
const BYTES_PER_GROUP = 4;

/** `width`: in whole groups. */
export const mlxBytes = (bits: number, rows: number, width: number): number =>
  rows * (width / MLX_GROUP) * ((MLX_GROUP * bits) / 8 + BYTES_PER_GROUP);
