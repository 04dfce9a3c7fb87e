/** The claims of the project are files that anyone can run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { checkSpec } from '../../../web/core/experiment/check-spec.js';

const folder = join(root, 'claims');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe.each(files)('%s', (file) => {
  const spec = checkSpec(JSON.parse(readFileSync(join(folder, file), 'utf8')));

  test('is an experiment with its own name and at least three seeds', () => {
    expect(`${spec.name}.json`).toBe(file);
    expect(spec.seeds.length).toBeGreaterThanOrEqual(3);
  });

  test('has claims with unique names', () => {
    expect(spec.claims.length).toBeGreaterThan(0);
    expect(new Set(spec.claims.map(({ id }) => id)).size).toBe(spec.claims.length);
  });
});
