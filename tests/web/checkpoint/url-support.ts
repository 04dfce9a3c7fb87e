/** A server for tests, and checkpoints to open from it. */
import { expect } from 'vitest';
import type { OpenCheckpointOptions } from '../../../web/core/checkpoint/types.js';
import type { OpenHow } from '../../../web/core/checkpoint/given-source.js';
import { ramp, safetensors, TIED_WTE } from './checkpoint-files.js';
import { startServer, type Answer, type FileServer } from './file-server.js';
import { openHere } from './open-here.js';

export let server: FileServer | null = null;

/** For `afterEach`. */
export async function closeServer(): Promise<void> {
  await server?.close();
  server = null;
}

export async function serve(answer: Answer): Promise<string> {
  server = await startServer(answer);
  return server.url;
}

export const open = (url: string, options: OpenCheckpointOptions = {}, how: OpenHow = {}) =>
  openHere(url, options, how);
export const failure = async (answer: Answer, options: OpenCheckpointOptions = {}): Promise<Error> => {
  const url = await serve(answer);
  const error = await open(url, options).catch((e: unknown) => e);
  expect(error).toMatchObject({ name: expect.stringMatching(/TiedError|AbortError/) as string });
  return error as Error;
};

export const FIRST = 65_536;
export const [V, D] = [512, 64];
/** The tables come after the first request, one behind the other with data in between. */
export const file = safetensors({
  first: { shape: [50_000], data: new Uint8Array(200_000) },
  'wte.weight': { shape: [V, D], data: ramp(V * D) },
  between: { shape: [1000], data: new Uint8Array(4000) },
  'lm_head.weight': { shape: [V, D], data: ramp(V * D, 1) },
});
export const small = safetensors({ 'wte.weight': { shape: [4, 2], data: ramp(8) } }, TIED_WTE);
export const row = 4 * D;
