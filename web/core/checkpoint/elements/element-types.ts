/** How files store the elements of a table. */
import { ELEMENT_BLOCKS } from '../../generated/words.js';

/** Elements are stored in blocks: how many elements a block has, and how many bytes. */
export interface ElementBlock {
  readonly elements: number;
  readonly bytes: number;
}

/** Under the names that safetensors and GGUF files use. */
export type ElementType = keyof typeof ELEMENT_BLOCKS;

export const ELEMENT_TYPES = Object.keys(ELEMENT_BLOCKS) as readonly ElementType[];

/** What tables of several tensors are arranged into: no types of files. */
export type ArrangedType = Extract<ElementType, `affine_${string}` | `scaled_${string}`>;
export const isArranged = (type: string): type is ArrangedType => /^(?:affine|scaled)_/.test(type);

export const blockOf = (type: ElementType): ElementBlock => ELEMENT_BLOCKS[type];
