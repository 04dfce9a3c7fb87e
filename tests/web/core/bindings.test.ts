import { expect, test } from 'vitest';
import { MODULE_NAMES, MODULES, wholeOf } from '../../../web/core/runtime/modules.js';
import { boundVerbs, statedVerbs, wasmFile } from './bound-verbs.js';

/** The interface in web/core that declares what a module binds. */
const interfaceOf = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}Module`;

/** Parts bind nothing themselves: see parts.test.ts. */
const whole = MODULE_NAMES.filter((name) => wholeOf(name) === undefined);

test.each(whole)(
  '%s.wasm binds exactly the verbs of its interface, with the same number of arguments',
  async (name) => {
    const stated = statedVerbs(interfaceOf(name));
    expect(await boundVerbs(`${name}.wasm`)).toEqual(stated);
    // The verb that identifies a module is its own.
    const isOther = (other: string): boolean => other !== name && !(name === 'core' && other === 'models');
    const others = whole.filter(isOther).map((other) => statedVerbs(interfaceOf(other)));
    expect(stated).toHaveProperty(MODULES[name].binds);
    for (const other of others) expect(other).not.toHaveProperty(MODULES[name].binds);
  },
);

test.each(whole)('%s.wasm starts with the glue that web/core uses for all modules', (name) => {
  expect(wasmFile(`${name}.mjs`).toString()).toBe(wasmFile('core.mjs').toString());
});
