import { afterEach, expect, test, vi } from 'vitest';
import type * as fields from '../../../web/core/generated/fields.js';
import { RunningModules } from '../../../web/core/runtime/running-modules.js';
import * as main from '../../../web/index.js';
import { rejection } from '../worker/lab-tests.js';
import { wasmFile } from './bound-verbs.js';

// JavaScript of another version than the modules in web/wasm/, which makes the modules stale.
const version = vi.hoisted(() => ({ ofJavaScript: undefined as number | undefined }));
vi.mock('../../../web/core/generated/fields.js', async (original) => {
  const real = await original<typeof fields>();
  return Object.create(real, { FIELDS_VERSION: { get: () => version.ofJavaScript ?? real.FIELDS_VERSION } });
});
afterEach(() => (version.ofJavaScript = undefined));

const compiled = (file: string): Promise<WebAssembly.Module> => WebAssembly.compile(new Uint8Array(wasmFile(file)));

test('a core with another version than the JavaScript is refused', async () => {
  await main.loadCore();
  version.ofJavaScript = 1;
  const error = await rejection(main.loadCore());
  expect(error.code).toBe('bad-file');
  expect(error.message).toBe('the core could not be started; expected the core.wasm of this same version');
});

test('models.wasm with another version is refused too, and the core beside it stays usable', async () => {
  const core = await compiled('core.wasm');
  const running = await RunningModules.start({ simd: 'simd128', modules: { core } } as never);
  version.ofJavaScript = 1;
  const models = await compiled('models.wasm');
  const error = await rejection(running.add('models', models));
  expect(error.message).toMatch(/expected the models\.wasm of this same version/);
  expect(() => running.get('core')).not.toThrow();
  version.ofJavaScript = undefined;
  await running.add('models', models);
  expect(running.get('models').check().fieldsVersion()).toBe(running.get('core').check().fieldsVersion());
});
