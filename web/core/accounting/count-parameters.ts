/** How many parameters a model has, where they are, and what sharing its tables saves. */
import { PARAMETER_COUNT } from '../generated/records.js';
import { TABLE_TYING, TENSOR_GROUP } from '../generated/words.js';
import type { Architecture, ParameterCount, ParameterGroup, TableTying } from './types.js';
import {
  ARCHITECTURE_NAMES,
  architectureNumbers,
  completeArchitecture,
  completeTying,
} from './architecture-options.js';
import type { Answer } from '../runtime/answer.js';
import type { Runtime } from '../runtime/runtime.js';
import type { AccountingModule } from '../runtime/wasm-module.js';

export function countParameters(
  accounting: Runtime<AccountingModule>,
  architecture: Architecture,
  tying?: TableTying,
): ParameterCount {
  const complete = completeArchitecture(architecture);
  const chosen = completeTying(complete, tying);
  return accounting.call(
    [architectureNumbers(complete)],
    (module, [address]) => module.countParameters(address!, TABLE_TYING.indexOf(chosen)),
    (answer) => ({ architecture: complete, tying: chosen, ...countsOf(answer) }),
    ARCHITECTURE_NAMES,
  );
}

function countsOf(answer: Answer): Omit<ParameterCount, 'architecture' | 'tying'> {
  const { tensors, ...counts } = answer.read(PARAMETER_COUNT);
  const { stored, untied } = counts;
  const groups = Object.fromEntries(TENSOR_GROUP.map((group, i) => [group, counts.groups[i]!])) as Record<
    ParameterGroup,
    number
  >;
  const saved = untied - stored;
  return {
    tensors: tensors.map(({ rows, cols, isVector, owner, name, copies, group, count }) => ({
      ...{ name, shape: isVector ? [cols] : [rows, cols], copies, group },
      ...{ tiedTo: owner === null ? null : tensors[owner]!.name, count },
    })),
    ...counts,
    groups,
    saved,
    savedOfStored: saved / stored,
    savedOfUntied: saved / untied,
    tableShare: groups.tables / stored,
  };
}
