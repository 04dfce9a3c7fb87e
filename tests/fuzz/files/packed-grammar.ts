/** Models with tables that other programs packed into several tensors: recorded ones, whole or with parts left out, cut, of other types or other bytes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/lib/root.mjs';
import { safetensors, utf8, type TensorParts } from '../../web/checkpoint/checkpoint-files.js';
import type { Draw } from '../draw.js';
import type { CheckpointSample } from './checkpoint-grammar.js';

interface Recorded {
  readonly tensors: Readonly<Record<string, { dtype: string; shape: number[]; data: string }>>;
  readonly shape: readonly [number, number];
}
let recorded: readonly Recorded[] | null = null;
/** tests/reference/packed_tables.py */
const cases = (): readonly Recorded[] =>
  (recorded ??= Object.values(
    JSON.parse(readFileSync(join(root, 'tests/reference/packed_tables.json'), 'utf8')) as Record<string, Recorded>,
  ));

const random = (draw: Draw, length: number): Uint8Array => Uint8Array.from({ length }, () => draw.whole(0, 255));
const TYPES = { U8: 1, I8: 1, F16: 2, BF16: 2, I32: 4, U32: 4, F32: 4, I64: 8, F8_E4M3: 1, F8_E8M0: 1 } as const;

function other(draw: Draw, { shape, data, dtype }: TensorParts): TensorParts {
  if (draw.odds(0.4)) return { shape, dtype: dtype!, data: random(draw, data.length) };
  const type = draw.of(Object.keys(TYPES) as (keyof typeof TYPES)[]);
  const sizes = draw.odds(0.5) ? shape : draw.list(draw.whole(0, 3), () => draw.whole(0, 70));
  return { shape: sizes, dtype: type, data: random(draw, TYPES[type] * sizes.reduce((all, size) => all * size, 1)) };
}

export function packedFile(draw: Draw): CheckpointSample {
  const { tensors, shape } = draw.of(cases());
  const packed = (stem: string): [string, TensorParts][] =>
    Object.entries(tensors).flatMap(([own, { dtype, data, ...rest }]): [string, TensorParts][] => {
      const parts = { ...rest, dtype, data: Uint8Array.from(Buffer.from(data, 'base64')) };
      return draw.odds(0.05) ? [] : [[`${stem}.${own}`, draw.odds(0.1) ? other(draw, parts) : parts]];
    });
  const plain: TensorParts = { shape, data: random(draw, 4 * shape[0] * shape[1]) };
  const [input, output] = draw.of([[true, false], [false, true], [true, true]] as const); // prettier-ignore
  const method = draw.of(['gptq', 'awq', 'compressed-tensors', 7]);
  const said = draw.some({ checkpoint_format: () => draw.of(['gptq', 'gptq_v2', '']), group_size: () => draw.of([-1, 0, 16, 32, 64, 128, 0.5]) }); // prettier-ignore
  const config = utf8(JSON.stringify({ quant_method: method, ...said }));
  const whole = utf8(JSON.stringify({ quantization_config: { quant_method: method, ...said } }));
  const beside = draw.of([
    null,
    { name: 'config.json', bytes: whole },
    { name: 'quantize_config.json', bytes: config },
  ]);
  const bytes = safetensors({
    ...Object.fromEntries(input ? packed('model.embed_tokens') : [['model.embed_tokens.weight', plain]]),
    ...(output ? Object.fromEntries(packed('lm_head')) : draw.odds(0.5) ? { 'lm_head.weight': plain } : {}),
    'model.layers.0.self_attn.q_proj.weight': { shape: [2, shape[1]], data: random(draw, 8 * shape[1]) },
    'model.norm.weight': { shape: [shape[1]], data: random(draw, 4 * shape[1]) },
  });
  return { files: [{ name: 'model.safetensors', bytes }, ...(beside === null ? [] : [beside])], options: {}, isAnything: true }; // prettier-ignore
}
