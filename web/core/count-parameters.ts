/** How many parameters a model has, where they are, and what sharing its tables saves. */
import type { Architecture, CountedTensor, ParameterCount, ParameterGroup, TableTying } from './accounting-types.js';
import {
  ARCHITECTURE_NAMES,
  architectureNumbers,
  completeArchitecture,
  completeTying,
  TABLE_TYINGS,
} from './architecture-options.js';
import type { Answer, Runtime } from './runtime.js';
import { wholesOf } from './wholes.js';
import type { AnalysisModule } from './wasm-module.js';

/** In the order of accounting/tensors.h. */
export const PARAMETER_GROUPS: readonly ParameterGroup[] = [
  'tables',
  'positions',
  'attention',
  'feed-forward',
  'norms',
  'head',
];

/** Counts before those of tensors: stored, effective, active, untied, tied, and each group. */
const FIRST_COUNTS = 5 + PARAMETER_GROUPS.length;
/** Copies, count. */
const COUNTS_A_TENSOR = 2;
/** Number of tables, and whether there is a tied model, before [rows, cols, isVector, group, tiedTo] of each tensor. */
const FIRST_NUMBERS = 2;
const NUMBERS_A_TENSOR = 5;

export function countParameters(
  analysis: Runtime<AnalysisModule>,
  architecture: Architecture,
  tying?: TableTying,
): ParameterCount {
  const complete = completeArchitecture(architecture);
  const chosen = completeTying(complete, tying);
  return analysis.call(
    [architectureNumbers(complete)],
    (module, [address]) => module.countParameters(address!, TABLE_TYINGS.indexOf(chosen)),
    (answer) => ({ architecture: complete, tying: chosen, ...countsOf(answer) }),
    ARCHITECTURE_NAMES,
  );
}

function countsOf(answer: Answer): Omit<ParameterCount, 'architecture' | 'tying'> {
  const counts = wholesOf(answer, 0);
  const numbers = answer.numbers(1);
  const [stored, effective, active, untied, tied] = counts as [bigint, bigint, bigint, bigint, bigint];
  const byGroup = counts.slice(FIRST_COUNTS - PARAMETER_GROUPS.length, FIRST_COUNTS);
  const groups = Object.fromEntries(PARAMETER_GROUPS.map((group, i) => [group, byGroup[i]!]));
  const [tables, hasTied] = numbers;
  const saved = untied - stored;
  return {
    tensors: tensorsOf(answer.texts(2), counts, numbers),
    stored,
    effective,
    active,
    groups: groups as Record<ParameterGroup, bigint>,
    tables: tables!,
    tied: hasTied === 1 ? tied : null,
    untied,
    saved,
    savedOfStored: Number(saved) / Number(stored),
    savedOfUntied: Number(saved) / Number(untied),
    tableShare: Number(byGroup[0]!) / Number(stored),
  };
}

function tensorsOf(names: readonly string[], counts: readonly bigint[], numbers: Float64Array): CountedTensor[] {
  return names.map((name, i) => {
    const atCount = FIRST_COUNTS + i * COUNTS_A_TENSOR;
    const atNumber = FIRST_NUMBERS + i * NUMBERS_A_TENSOR;
    const [copies, count] = counts.slice(atCount, atCount + COUNTS_A_TENSOR);
    const [rows, cols, isVector, group, tiedTo] = numbers.subarray(atNumber, atNumber + NUMBERS_A_TENSOR);
    return {
      name,
      shape: isVector === 1 ? [cols!] : [rows!, cols!],
      copies: copies!,
      group: PARAMETER_GROUPS[group!]!,
      tiedTo: tiedTo === -1 ? null : names[tiedTo!]!,
      count: count!,
    };
  });
}
