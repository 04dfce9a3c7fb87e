/** Small models that can run, in the file formats of other programs, from tests/reference/checkpoint_models.py. */
import reference from '../../reference/checkpoint_models.json' with { type: 'json' };
import type { Draw } from '../draw.js';

type Coded = Readonly<Record<'safetensors' | 'gguf', string>> & { readonly config: unknown };
const models: Readonly<Record<'gpt2' | 'llama', Coded>> = reference;
const bytesOf = (coded: string): Uint8Array => new Uint8Array(Buffer.from(coded, 'base64'));

export function runningModel(draw: Draw): { name: string; bytes: Uint8Array }[] {
  const { safetensors, gguf, config } = models[draw.of(['gpt2', 'llama'] as const)];
  if (draw.odds(0.5)) return [{ name: 'model.gguf', bytes: bytesOf(gguf) }];
  return [
    { name: 'model.safetensors', bytes: bytesOf(safetensors) },
    { name: 'config.json', bytes: new TextEncoder().encode(JSON.stringify(config)) },
  ];
}
