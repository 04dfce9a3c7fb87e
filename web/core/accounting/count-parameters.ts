/** How many parameters a model has, where they are, and what sharing its tables saves. */
import { PARAMETER_COUNT } from '../generated/records.js';
import { TABLE_TYING, TENSOR_GROUP } from '../generated/words.js';
import type { Architecture, ListedTensor, ParameterCount, ParameterGroup, TableTying } from './types.js';
import {
  ARCHITECTURE_NAMES,
  architectureNumbers,
  listedNumbers,
  completeArchitecture,
  completeTying,
} from './architecture-options.js';
import type { Answer, Read } from '../runtime/answer.js';
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
    [architectureNumbers(complete), listedNumbers(complete)],
    (module, [address, listed]) =>
      module.countParameters(address!, TABLE_TYING.indexOf(chosen), listed!, complete.tensors.length),
    (answer) => ({ architecture: complete, tying: chosen, ...countsOf(answer, complete.tensors) }),
    ARCHITECTURE_NAMES,
  );
}

function countsOf(answer: Answer, listed: readonly ListedTensor[]): Omit<ParameterCount, 'architecture' | 'tying'> {
  const { tensors: unnamed, ...counts } = answer.read(PARAMETER_COUNT);
  const names = listed.map(({ name }) => name);
  const tensors = unnamed.map((tensor) => (tensor.name === '' ? { ...tensor, name: names.shift()! } : tensor));
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
    roles: rolesOf(tensors),
    saved,
    savedOfStored: saved / stored,
    savedOfUntied: saved / untied,
    tableShare: groups.tables / stored,
  };
}

/** Of each stored tensor, once: what its tokens' rows do in all of its roles. */
function rolesOf(tensors: Read<typeof PARAMETER_COUNT>['tensors']): ParameterCount['roles'] {
  const roles = { readsAndWrites: 0, reads: 0, writes: 0, computes: 0 };
  const owners = tensors.map(({ owner }, i) => owner ?? i);
  tensors.forEach(({ group, count, owner }, i) => {
    if (owner !== null) return;
    const names = group === 'tables' ? tensors.filter((_, j) => owners[j] === i).map(({ name: each }) => each) : [];
    const writes = names.some(isOutput);
    const reads = names.some((each) => !isOutput(each));
    roles[reads && writes ? 'readsAndWrites' : reads ? 'reads' : writes ? 'writes' : 'computes'] += count;
  });
  return roles;
}

const isOutput = (name: string): boolean => name.startsWith('unembedding');
