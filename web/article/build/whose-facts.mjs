/** How well the tables of the page's finished models agree, and the neighbors of the figure's default word. */
import { rounded } from './rounded.mjs';

/** @param {{ lab: any, inputs: any, models: Uint8Array }} options */
export async function whoseFacts({ lab, inputs, models }) {
  const { openTables, measureWithWord, alignmentSettings, areLevel } = inputs;
  const tables = await openTables(lab, models, 'the file is not that of the page');
  const listening = { signal: new AbortController().signal, onProgress: () => undefined };
  const question = { method: 'linear', center: true, holdOut: true, others: false };
  const measured = await measureWithWord(lab, tables, question, alignmentSettings.word.initial, listening);
  tables.dispose();
  return { finished: [rounded(measured)], pairs: measured.pairs, level: areLevel(measured.pairs), tokens: tables.names.length };
}
