/** How many parameters a model has, where they are, and what sharing its tables saves. */
import type { Architecture, CountedTensor, ParameterCount, ParameterGroup, TableTying } from './types.js';
import {
  ARCHITECTURE_NAMES,
  architectureNumbers,
  completeArchitecture,
  completeTying,
  TABLE_TYINGS,
} from './architecture-options.js';
import type { Answer, Runtime } from '../runtime/runtime.js';
import { nextOf, type Next } from '../runtime/next-number.js';
import { integersOf } from '../runtime/integers.js';
import type { AccountingModule } from '../runtime/wasm-module.js';

/** In the order of accounting/tensors.h. */
export const PARAMETER_GROUPS: readonly ParameterGroup[] = [
  'tables',
  'positions',
  'attention',
  'feed-forward',
  'norms',
  'head',
];

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
  const numbers = integersOf(answer, 0);
  const next = nextOf(numbers);
  const [stored, effective, active, untied, tied] = [next(), next(), next(), next(), next()];
  const hasTied = next() === 1;
  const tables = next();
  const byGroup = Object.fromEntries(PARAMETER_GROUPS.map((group) => [group, next()]));
  const groups = byGroup as Record<ParameterGroup, number>;
  const saved = untied - stored;
  return {
    tensors: tensorsOf(answer.texts(1), next),
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

/** Per tensor: rows, columns, whether it is a vector, group, index of the tensor it shares storage with plus 1, copies, count. */
function tensorsOf(names: readonly string[], next: Next): CountedTensor[] {
  return names.map((name) => {
    const [rows, cols] = [next(), next()];
    const shape: CountedTensor['shape'] = next() === 1 ? [cols] : [rows, cols];
    const group = PARAMETER_GROUPS[next()]!;
    const sharesWith = next();
    const tiedTo = sharesWith === 0 ? null : names[sharesWith - 1]!;
    return { name, shape, copies: next(), group, tiedTo, count: next() };
  });
}
