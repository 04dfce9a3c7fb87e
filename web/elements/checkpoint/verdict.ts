import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import { bytesByRole, quoted, shareInWords, tyingInWords } from './facts.js';
import type { OpenedModel } from './opening.js';
import { bytesInWords } from './refusal.js';

/** What the figure says about a model: whether it is tied, and what that means in numbers. */
export function verdictOf(
  opened: OpenedModel,
  texts: CheckpointStrings,
): { claim: string; rest: string; numbers: string } {
  return { ...tyingInWords(opened, texts), numbers: inNumbers(opened, texts) };
}

function inNumbers({ checkpoint, running }: OpenedModel, texts: CheckpointStrings): string {
  if (running === null) {
    const { input, output, rest } = bytesByRole(checkpoint);
    const tables = input + output;
    return texts.bytesSentence(bytesInWords(tables), shareInWords(tables, tables + rest));
  }
  const { table, secondTable, total, asymmetry } = running;
  const share = texts.percent(shareInWords(table + secondTable, total));
  const added = checkpoint.leftOut.output;
  const ofOne = added.length === 0 ? texts.symmetric : texts.symmetricTables(added.map(quoted).join(', '));
  const symmetry = secondTable === 0 ? ofOne : texts.asymmetry(formatNumber(asymmetry, { decimals: 3 }));
  return `${texts.sentence(formatWhole(total), share)} ${symmetry}`;
}
