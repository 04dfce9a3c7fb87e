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
import type { AccountingModule } from './wasm-module.js';

/** In the order of accounting/tensors.h. */
export const PARAMETER_GROUPS: readonly ParameterGroup[] = [
  'tables',
  'positions',
  'attention',
  'feed-forward',
  'norms',
  'head',
];

/** Of each tensor: rows, cols, whether it is a vector, group, place of the one that it shares with plus 1, copies, count. */
const NUMBERS_A_TENSOR = 7;

export function countParameters(
  accounting: Runtime<AccountingModule>,
  architecture: Architecture,
  tying?: TableTying,
): ParameterCount {
  const complete = completeArchitecture(architecture);
  const chosen = completeTying(complete, tying);
  return accounting.call(
    [architectureNumbers(complete)],
    (module, [address]) => module.countParameters(address!, TABLE_TYINGS.indexOf(chosen)),
    (answer) => ({ architecture: complete, tying: chosen, ...countsOf(answer) }),
    ARCHITECTURE_NAMES,
  );
}

function countsOf(answer: Answer): Omit<ParameterCount, 'architecture' | 'tying'> {
  const numbers = wholesOf(answer, 0);
  let place = 0;
  const next = (): number => numbers[place++]!;
  const [stored, effective, active, untied, tied] = [next(), next(), next(), next(), next()];
  const hasTied = next() === 1;
  const tables = next();
  const byGroup = Object.fromEntries(PARAMETER_GROUPS.map((group) => [group, next()]));
  const groups = byGroup as Record<ParameterGroup, number>;
  const saved = untied - stored;
  return {
    tensors: tensorsOf(answer.texts(1), numbers.slice(place)),
    stored,
    effective,
    active,
    groups,
    tables,
    tied: hasTied ? tied : null,
    untied,
    saved,
    savedOfStored: saved / stored,
    savedOfUntied: saved / untied,
    tableShare: groups.tables / stored,
  };
}

function tensorsOf(names: readonly string[], numbers: readonly number[]): CountedTensor[] {
  return names.map((name, i) => {
    const at = i * NUMBERS_A_TENSOR;
    const entry = numbers.slice(at, at + NUMBERS_A_TENSOR) as [number, number, number, number, number, number, number];
    const [rows, cols, isVector, group, sharesWith, copies, count] = entry;
    return {
      name,
      shape: isVector === 1 ? [cols] : [rows, cols],
      copies,
      group: PARAMETER_GROUPS[group]!,
      tiedTo: sharesWith === 0 ? null : names[sharesWith - 1]!,
      count,
    };
  });
}
