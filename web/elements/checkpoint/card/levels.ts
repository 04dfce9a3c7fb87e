import { formatNumber, formatWhole } from '../../../charts/number-format.js';
import type { IdentityCardData, IdentityTable } from '../../../core/types.js';
import type { CardStrings } from './card.strings.js';

/** Which table a measure is of: the only one, the input table or the output table. */
export type Role = 'one' | 'input' | 'output';

/** A measure between 0 and 1, and its chance level. */
export interface Level {
  readonly id: string;
  readonly role: Role | 'both';
  readonly name: string;
  readonly value: number;
  readonly chance: number | null;
}

/** Three decimals; numbers close to 0 keep their first digit. */
export const levelInWords = (value: number): string =>
  formatNumber(value, value !== 0 && Math.abs(value) < 0.0005 ? { significant: 1 } : { decimals: 3 });

/** The tables that were measured. If one table has both roles, there is only that one. */
export function measuredTables({ tables, tying, alignment }: IdentityCardData): (readonly [Role, IdentityTable])[] {
  const { input, output } = tables;
  if (tying.tied === true && alignment === null) return [['one', (input ?? output)!]];
  const found: (readonly [Role, IdentityTable])[] = [];
  if (input !== null) found.push([output === null ? 'one' : 'input', input]);
  if (output !== null) found.push([input === null ? 'one' : 'output', output]);
  return found;
}

/** The measures that a card has, those of the direct path first. */
export function levelsOf(data: IdentityCardData, texts: CardStrings): Level[] {
  const { asymmetry, folded, selfPrediction, alignment } = data;
  const { measures, tableNames } = texts;
  const levels: Level[] = [];
  const add = (
    id: keyof CardStrings['measures'],
    value: number | null,
    chance: number | null,
    role: Level['role'] = 'both',
  ) => {
    if (value === null || !Number.isFinite(value)) return;
    const name = role === 'both' ? measures[id] : texts.ofTable(measures[id], tableNames[role]);
    levels.push({ id, role, name, value, chance: chance === null || Number.isFinite(chance) ? chance : null });
  };
  if (asymmetry) add('asymmetry', asymmetry.asymmetry, asymmetry.null);
  if (folded) add('folded', folded.asymmetry, folded.null);
  if (selfPrediction) add('selfPrediction', selfPrediction.count / selfPrediction.of, selfPrediction.chance);
  if (alignment) {
    add('alignment', alignment.cosine, alignment.cosineNull);
    add('linear', alignment.linear, alignment.linearNull);
  }
  const tables = measuredTables(data);
  for (const [role, { meanCosine }] of tables) add('meanCosine', meanCosine, 0, role);
  for (const [role, { isoScore, isoScoreNull }] of tables) add('isoScore', isoScore, isoScoreNull, role);
  for (const [role, { centered, shape }] of tables) {
    const width = Math.min(...shape);
    add('effectiveRank', centered.effectiveRank / width, centered.null.effectiveRank / width, role);
  }
  return levels;
}

/** A single row has no other order, so it has no chance level. */
const chanceInWords = (value: number): string | null => (Number.isFinite(value) ? levelInWords(value) : null);

/** What the card says about the direct path, in words. */
export function pathInWords(
  { asymmetry, folded, selfPrediction, tying, leftOut }: IdentityCardData,
  texts: CardStrings,
): string {
  if (asymmetry === null) return texts.noPath;
  const chance = chanceInWords(asymmetry.null);
  const isExact = tying.tied === true && asymmetry.asymmetry === 0;
  const claim = isExact
    ? texts.asymmetryTied(chance, leftOut.output.length > 0)
    : texts.asymmetryUntied(levelInWords(asymmetry.asymmetry), chance);
  const more =
    folded === null || isExact
      ? []
      : [texts.foldedSentence(levelInWords(folded.asymmetry), chanceInWords(folded.null) ?? '–')];
  const self =
    selfPrediction === null
      ? []
      : [
          texts.selfSentence(
            formatWhole(selfPrediction.count),
            formatWhole(selfPrediction.of),
            formatWhole(Math.round(1 / selfPrediction.chance)),
          ),
        ];
  return [claim, ...more, ...self].join(' ');
}

/** What tying saves besides bytes, and how exactly the tables are stored. */
export function storageInWords(data: IdentityCardData, texts: CardStrings): string {
  const bits = [...new Set(measuredTables(data).map(([, { bitsPerElement }]) => formatNumber(bitsPerElement)))];
  const { saving } = data;
  const share =
    saving === null ? [] : [texts.secondTable(saving.tied && !saving.storedTwice, formatNumber(100 * saving.share))];
  return [...share, texts.bitsOf(bits)].join(' ');
}
