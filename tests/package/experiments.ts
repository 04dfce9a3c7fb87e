// Shared by tests of the command: folders with an experiment, and its tables.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A new folder with the experiment as claim.json, and the text that it names. */
export function experimentFolder(parent: string, spec: object): string {
  const folder = mkdtempSync(join(parent, 'experiment-'));
  const names = ['New', 'York', 'is', 'old', 'and', 'new'];
  const words = Array.from({ length: 3000 }, (_, i) => names[(i * i + (i % 7)) % names.length]);
  writeFileSync(join(folder, 'text.txt'), words.join(' '));
  writeFileSync(join(folder, 'claim.json'), JSON.stringify(spec));
  return folder;
}

/** The bytes of the collected tables, without the timing table. */
export function tablesIn(folder: string): Record<string, string> {
  const names = readdirSync(join(folder, 'tables')).filter((name) => !name.startsWith('clock'));
  return Object.fromEntries(
    names.sort().map((name) => [name, readFileSync(join(folder, 'tables', name)).toString('base64')]),
  );
}

/** The number of results. */
export function resultsIn(folder: string): number {
  try {
    const names = readdirSync(join(folder, 'results'), { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.jsonl')).length;
  } catch {
    return 0;
  }
}
