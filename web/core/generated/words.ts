/** The words of enumerations of the core, by their numbers there, printed by `npm run fields`. */
export const TENSOR_GROUP = ['tables', 'positions', 'attention', 'feed-forward', 'norms', 'head'] as const;
export const REASON_KIND = ['vocabularies', 'starts-from', 'budget', 'saved-share', 'depth', 'width', 'memory', 'precedent', 'measured-loss'] as const;
export const FAVOURS = ['tied', 'untied', 'neither'] as const;
export const DECIDED_BY = ['decisive', 'contradiction', 'votes', 'balance'] as const;
export const TYING_CONDITION = ['none', 'above', 'below'] as const;
export const STARTS_FROM = ['scratch', 'tied', 'untied'] as const;
export const TABLE_TYING = ['tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank', 'tied-inputs', 'tied-decoder'] as const;
export const PRECISION = ['float32', 'bfloat16', 'mixed'] as const;
export const ALIGNMENT_METHOD = ['identity', 'orthogonal', 'linear', 'ridge'] as const;
export const NEIGHBOR_METRIC = ['cosine', 'centered-cosine'] as const;
export const HIDDEN_MEASURE = ['parallel', 'orthogonal', 'ratio', 'max-other-cosine', 'max-other-centered', 'input-cosine', 'shuffled-ratio', 'shuffled-input'] as const;
export const TABLE_ROLE = ['input', 'output'] as const;
export const TOKENIZER_KIND = ['character', 'word', 'bpe', 'llama2c', 'gpt2'] as const;
export const ALPHABET = ['bytes', 'text'] as const;
export const PAIR_TASK = ['reversal', 'sorting', 'transliteration', 'numbers', 'plurals', 'past-tense'] as const;
/** How files store elements: how many are in a block, and its bytes. */
export const ELEMENT_BLOCKS = { F32: { elements: 1, bytes: 4 }, F64: { elements: 1, bytes: 8 }, F16: { elements: 1, bytes: 2 }, BF16: { elements: 1, bytes: 2 }, F8_E4M3: { elements: 1, bytes: 1 }, F8_E5M2: { elements: 1, bytes: 1 }, F8_E4M3FNUZ: { elements: 1, bytes: 1 }, F8_E5M2FNUZ: { elements: 1, bytes: 1 }, Q8_0: { elements: 32, bytes: 34 }, Q6_K: { elements: 256, bytes: 210 }, Q5_K: { elements: 256, bytes: 176 }, Q4_K: { elements: 256, bytes: 144 }, Q4_0: { elements: 32, bytes: 18 }, Q4_1: { elements: 32, bytes: 20 }, Q5_0: { elements: 32, bytes: 22 }, Q5_1: { elements: 32, bytes: 24 }, Q2_K: { elements: 256, bytes: 84 }, Q3_K: { elements: 256, bytes: 110 }, IQ4_NL: { elements: 32, bytes: 18 }, IQ4_XS: { elements: 256, bytes: 136 }, MXFP4: { elements: 32, bytes: 17 }, NVFP4: { elements: 64, bytes: 36 }, TQ1_0: { elements: 256, bytes: 54 }, TQ2_0: { elements: 256, bytes: 66 }, Q1_0: { elements: 128, bytes: 18 }, Q2_0: { elements: 64, bytes: 18 }, IQ2_XXS: { elements: 256, bytes: 66 }, IQ2_XS: { elements: 256, bytes: 74 }, IQ2_S: { elements: 256, bytes: 82 }, IQ3_XXS: { elements: 256, bytes: 98 }, IQ3_S: { elements: 256, bytes: 110 }, IQ1_S: { elements: 256, bytes: 50 }, IQ1_M: { elements: 256, bytes: 56 }, affine_2: { elements: 16, bytes: 12 }, affine_3: { elements: 16, bytes: 14 }, affine_4: { elements: 16, bytes: 16 }, affine_5: { elements: 16, bytes: 18 }, affine_6: { elements: 16, bytes: 20 }, affine_8: { elements: 16, bytes: 24 }, scaled_E2M1: { elements: 16, bytes: 12 }, scaled_E4M3: { elements: 16, bytes: 20 } } as const;
