import { expect, test } from 'vitest';
import { MODULE_NAMES, MODULES, wholeOf } from '../../../web/core/modules.js';
import { boundVerbs, statedVerbs, wasmFile } from './bound-verbs.js';

/** The interface of web/core that states what a module binds. */
const interfaceOf = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}Module`;

/** A part binds nothing itself: see parts.test.ts. */
const whole = MODULE_NAMES.filter((name) => wholeOf(name) === undefined);

test.each(whole)('%s.wasm binds the verbs that its interface states, as many arguments, no others', async (name) => {
  const stated = statedVerbs(interfaceOf(name));
  expect(await boundVerbs(`${name}.wasm`)).toEqual(stated);
  // What tells it from the others is its own.
  const isOther = (other: string): boolean => other !== name && !(name === 'core' && other === 'models');
  const others = whole.filter(isOther).map((other) => statedVerbs(interfaceOf(other)));
  expect(stated).toHaveProperty(MODULES[name].binds);
  for (const other of others) expect(other).not.toHaveProperty(MODULES[name].binds);
});

test.each(whole)('%s.wasm starts by the glue that web/core takes for all', (name) => {
  expect(wasmFile(`${name}.mjs`).toString()).toBe(wasmFile('core.mjs').toString());
});
