/** How files store the elements of a table. */

/** Elements are stored in blocks: how many elements a block has, and how many bytes. */
export interface ElementBlock {
  readonly elements: number;
  readonly bytes: number;
}

/** In the order of checkpoint/element_type.h, under the names that safetensors and GGUF files use. */
const BLOCKS = {
  F32: { elements: 1, bytes: 4 },
  F64: { elements: 1, bytes: 8 },
  F16: { elements: 1, bytes: 2 },
  BF16: { elements: 1, bytes: 2 },
  F8_E4M3: { elements: 1, bytes: 1 },
  F8_E5M2: { elements: 1, bytes: 1 },
  Q8_0: { elements: 32, bytes: 34 },
  Q6_K: { elements: 256, bytes: 210 },
  Q5_K: { elements: 256, bytes: 176 },
  Q4_K: { elements: 256, bytes: 144 },
  Q4_0: { elements: 32, bytes: 18 },
  Q4_1: { elements: 32, bytes: 20 },
  Q5_0: { elements: 32, bytes: 22 },
  Q5_1: { elements: 32, bytes: 24 },
} as const satisfies Readonly<Record<string, ElementBlock>>;

export type ElementType = keyof typeof BLOCKS;

export const ELEMENT_TYPES = Object.keys(BLOCKS) as readonly ElementType[];

export const blockOf = (type: ElementType): ElementBlock => BLOCKS[type];
