/**
 * The rule for a verdict on tying. `tied` is true or false only if something in the files proves it; everything else is not known,
 * with the reason (docs/decisions/0068-when-a-verdict-is-proved.md, docs/verdicts.md).
 */
import { computedTable } from './computed-tables.js';
import { contradictionOf, type SaidTying } from '../../accounting/import-config/tying-flag.js';
import { pause } from '../../runtime/pause.js';
import type { CheckpointTying, RolesTying, TyingEvidence } from '../types.js';
import { compareTables, type TyingOptions } from './compare-tables.js';
import { isGeneric, isInLayer, isOf, isOfAPart, isTableItself, placeOf, plainParts } from '../tables/families.js';
import { kindOfModel, predictsTokens } from './kind-of-model.js';
import { findMembers, stackedIn } from '../tables/layers.js';
import { emptyMatrix, unaccounted } from './missing-table.js';
import { mayReadAnother, namesTable, omittedTables, outputOfEncoder } from '../tables/omitted-names.js';
import { besidePrefixOfAdapter, isOfUnmergedTable, otherHead, otherThanAModel, type FileFacts } from './other-model.js';
import { adaptiveOutput, factorsOf, ownModel, possibleTables, whyNeither } from './own-model.js';
import { rolesOf } from './role-tying.js';
import { namable, settledBy, settledByBoth, settledByOutput } from './settling.js';
import { listed, type FoundTables, type UnreadTable } from '../tables/tables.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';
import { strangeModule, wholenessOf } from './whole-model.js';

export type { TyingOptions };

/** A verdict, before what `config.json` says of it. */
export type Verdict = Pick<CheckpointTying, 'tied' | 'evidence' | 'reason' | 'candidates'>;

export async function findTying(
  facts: FileFacts,
  tables: FoundTables,
  said: SaidTying,
  options: TyingOptions,
): Promise<CheckpointTying> {
  const asked = { ...options, tensors: facts.directory.tensors };
  const found = ofAllFiles(facts, tables, await verdictOf(facts, tables, asked));
  const roles = await rolesOf(facts, tables, found, asked);
  const judged = withRoles(found, roles);
  const conflict = conflictOf(judged, said);
  return { ...withConfiguration(judged, tables, said, conflict), distance: null, conflict, roles };
}

/** The rule. */
async function verdictOf(facts: FileFacts, tables: FoundTables, options: TyingOptions): Promise<Verdict> {
  const { directory } = facts;
  const { input, output, same, chosen, unread } = tables;
  const there = (input ?? output)!;
  // The caller decides.
  if (same && (chosen.input || chosen.output)) return proved('same-storage', tables, true);
  if (chosen.input && chosen.output)
    return ofOtherNames(directory, output!, () => compared(facts, input!, output!, options));
  if (directory.isOneTable === true)
    return unknown(
      `the file is one table without a name, which says nothing about another one; name it for both roles with tables: { input, output }, if it has both`,
    );
  const what = otherThanAModel(facts, {
    hasInput: input !== null || unread !== null,
    hasOutput: output !== null || unread !== null,
  });
  if (what !== null) return noLanguageModel(what);
  if (directory.isSlice === true)
    return unknown(
      'the file has a part of every matrix, as one of several that its model was split into; expected all of them together',
    );
  if (directory.roles !== undefined) return ofStated(facts, tables, options);
  const own = ofOwnHead(directory);
  if (own !== null) return own;
  // Two tables.
  if (input !== null && output !== null)
    return (
      (chosen.output ? null : (ofOtherTokens(input, output) ?? ofOtherHead(facts, input, output))) ??
      ofTwoStacks(facts, input, output) ??
      (chosen.input ? null : ofAnotherInput(facts, input, output)) ??
      compared(facts, input, output, options)
    );
  if (unread !== null) return ofUnread(tables, unread);
  // One table: what is missing has to be accounted for.
  const missing = input === null ? 'input' : 'output';
  if (there.hasShape === false)
    return unknown(
      `the file has ${quoted(there)} alone, which is ${there.dtype}, and nothing says how many tokens it has`,
    );
  if (facts.distinct.some(isOfUnmergedTable))
    return noLanguageModel(
      'its adapter is not merged, so its tables are not those that the model uses; merge it first',
    );
  const ofAdapter = besidePrefixOfAdapter(facts.distinct, there.name);
  if (ofAdapter !== null)
    return unknown(
      `'${ofAdapter.slice(0, 120)}' has the prefix of an adapter, which may change ${quoted(there)}${settledBy(there, [])}`,
    );
  const odd = otherHead(facts.distinct);
  if (odd === null && isAliased(directory, there, missing)) return proved('alias', tables, true);
  const encoders = missing === 'output' ? outputOfEncoder(directory, there) : undefined;
  if (odd === null && encoders !== undefined) return compared(facts, there, encoders, options);
  if (directory.isPart === true)
    return noLanguageModel(
      'it is one of several files of a model, opened without the others, and one of those may have the other table',
    );
  if (ownModel(directory)?.tying === 'untied')
    return unknown(`the file says that its model is untied, but has ${quoted(there)} alone${settledBy(there, [])}`);
  await findMembers(facts.names);
  const whole = wholenessOf(facts, there, missing);
  await pause();
  if (whole.is === 'other') return noLanguageModel(whole.what);
  const tensors = [...directory.tensors.values()];
  const empty = emptyMatrix(tensors, facts.names);
  if (empty !== null) return withoutElements(empty);
  const by = whole.is === 'whole' ? whole.by : null;
  const byName = by === 'names';
  if (by === 'format') return proved(`missing-${missing}`, tables, true);
  const left = await unaccounted(possibleTables(directory), facts.names, there, missing, byName);
  if (left.tables.length > 0) return couldBeTable(directory, left.tables, there, missing);
  if (left.others.length > 0) return couldBeRead(directory, left.others, there, missing);
  if (whole.is === 'unsure') return unknown(`${whole.why}${settledBy(there, [])}`);
  if (input === null && isGeneric(placeOf(there.name, 'output')?.role ?? ''))
    return unknown(`other modules have the name of ${quoted(there)} too${settledBy(there, [])}`);
  const embeds = await facts.embeds();
  if (embeds !== null) return noLanguageModel(embeds);
  const verdict = proved(input === null ? 'missing-input' : 'missing-output', tables, true);
  return byName ? { ...verdict, reason: verdict.reason.replace('The file is', 'By its names, the file is') } : verdict;
}

/** Rows of two files that do not have all names in common: the others may be padding, or another vocabulary. */
async function ofOtherNames(
  { sharedNames }: TensorDirectory,
  output: StoredTensor,
  comparing: () => Promise<Verdict>,
): Promise<Verdict> {
  if (sharedNames === undefined) return comparing();
  const { shared, of } = sharedNames;
  const found = shared === 0 ? null : await comparing();
  if (found?.tied === false) return found;
  const rows = found?.tied === true ? ', whose rows are equal' : '';
  const common = `${shared === 1 ? '1 name is' : `${shared} names are`} in both, once in each`;
  const words = `the two files name ${of.join(' and ')} rows; ${common}${rows}`;
  return unknown(words, found === null ? [output.name] : []);
}

/** Whether a verdict, or its reason, says that a table is in no file of the model. An index may list fewer tensors than its files have. */
export const restsOnAbsence = ({ input, output, same, unread }: FoundTables): boolean =>
  !same && unread === null && (input === null || output === null);

function ofAllFiles({ unopened }: FileFacts, tables: FoundTables, found: Verdict): Verdict {
  if (unopened === null || found.tied === null || !restsOnAbsence(tables)) return found;
  const missing = tables.input === null ? 'input' : 'output';
  return unknown(
    `the ${missing} table may be in a file that could not be opened (${unopened.replace(/\.$/, '')})${settledBy((tables.input ?? tables.output)!, [])}`,
  );
}

/** Of a file that says which tables have the two roles. */
async function ofStated(
  facts: FileFacts,
  { input, output, chosen }: FoundTables,
  options: TyingOptions,
): Promise<Verdict> {
  const { verdict, said } = facts.directory.roles!;
  if (verdict !== undefined && !chosen.input && !chosen.output) return { ...verdict, candidates: [] };
  if (input === null || output === null)
    return unknown(`the file has ${quoted(input ?? output)} alone${settledBy((input ?? output)!, [])}`);
  const other = chosen.output ? null : ofOtherTokens(input, output);
  if (other !== null) return other;
  const found = await compared(facts, input, output, options);
  return said === undefined ? found : { ...found, reason: `${said}; ${found.reason}` };
}

/** Of this package's own models: one table with a map for its second role, or an output of several tables. */
function ofOwnHead(directory: TensorDirectory): Verdict | null {
  const neither = whyNeither(directory);
  if (neither !== null) return { tied: null, evidence: 'unknown', reason: neither, candidates: [] };
  const tables = adaptiveOutput(directory);
  return tables === null
    ? null
    : {
        ...{ tied: false, evidence: 'different', candidates: [] },
        reason: `The output has tables of its own, ${listed(tables)}, for more and less frequent tokens.`,
      };
}

/** Whether the output table predicts the tokens of a model that also has a classifier's head. */
function ofOtherHead(
  { distinct, configuration }: FileFacts,
  input: StoredTensor,
  output: StoredTensor,
): Verdict | null {
  const odd = otherHead(distinct);
  // A model that was trained with a head for values predicts tokens.
  if (odd === null || /(?:^|\.)v(?:alue)?_head\b/.test(odd) || predictsTokens(kindOfModel(configuration)) === true)
    return null;
  return unknown(
    `'${odd.slice(0, 120)}' belongs to a head that predicts something other than tokens, so ${quoted(output)} may be left over from another model${settledByBoth(input, output)}`,
    [output.name],
  );
}

/** A student's input and a teacher's output, each with layers of its own. */
function ofTwoStacks({ names }: FileFacts, input: StoredTensor, output: StoredTensor): Verdict | null {
  const [one, other] = [input, output].map(({ name }) => plainParts(name));
  const [first, second] = [one![0]!, other![0]!];
  const areParts = [first, second].some((part) => /(?:en|de)coder$/.test(part));
  if (first === second || areParts) return null;
  const isIn = (name: string, module: string): boolean => name.includes(module) && plainParts(name)[0] === module;
  // Most heads have no layers, which is soon seen.
  const mayHaveLayers = (module: string): boolean => names.some((name) => isIn(name, module) && isInLayer(name));
  if (!mayHaveLayers(second) || !mayHaveLayers(first)) return null;
  const stacked = stackedIn(names);
  const hasLayers = (module: string): boolean => names.some((name) => isIn(name, module) && stacked.has(name));
  if (!hasLayers(first) || !hasLayers(second)) return null;
  return unknown(
    `${quoted(input)} and ${quoted(output)} belong to two models, '${first}' and '${second}'${settledByBoth(input, output)}`,
    [output.name],
  );
}

/** The decoder's input, where the file has only the encoder's, and an input that is stored as the output beside another one. */
function ofAnotherInput(
  { directory, distinct, configuration }: FileFacts,
  input: StoredTensor,
  output: StoredTensor,
): Verdict | null {
  const [reads] =
    omittedTables(directory, 'input').find(([name, kept]) => kept === output && !isOf('encoder', name)) ?? [];
  if (reads !== undefined)
    return unknown(
      `the file lists ${quoted(output)} as '${reads.slice(0, 120)}' too, and has ${quoted(input)} beside it${settledByBoth(input, output)}`,
      [output.name],
    );
  if (!mayReadAnother(directory, distinct, configuration, input)) return null;
  return unknown(
    `the file has no input table of the decoder, which may share ${quoted(input)} or ${quoted(output)}${settledByBoth(input, output)}`,
    [output.name],
  );
}

/** An output for far fewer or far more tokens than the input reads may be a classifier, or the head for another vocabulary. */
function ofOtherTokens(input: StoredTensor, output: StoredTensor): Verdict | null {
  // What is packed has its own shape.
  if (input.parts !== undefined || output.parts !== undefined) return null;
  const [rows = 0, cols = 0] = input.turned === true ? [...input.shape].reverse() : input.shape;
  const [first = 0, second = 0] = output.shape;
  const predicted = first === cols ? second : first;
  if (rows <= 2 * predicted && predicted <= 2 * rows) return null;
  return unknown(
    `${quoted(output)} has ${predicted === 1 ? '1 row' : `${predicted} rows`} for the ${rows} tokens of ${quoted(input)}, so it may predict something other than tokens${settledByBoth(input, output)}`,
    [output.name],
  );
}

async function compared(
  { directory, distinct }: FileFacts,
  input: StoredTensor,
  output: StoredTensor,
  options: TyingOptions,
): Promise<Verdict> {
  const { tied, evidence, why } = await compareTables(input, output, options);
  if (tied === null) return unknown(why!);
  // E = A F and U = B G: with A = B, they still differ if F and G do.
  const factors = factorsOf(directory, input, output);
  if (tied && factors !== null && (await compareTables(...factors, options)).tied !== true)
    return proved('different', { input: factors[0], output: factors[1] }, false);
  if (tied && distinct.some(isOfUnmergedTable))
    return unknown(
      `'${input.name}' and '${output.name}' are equal, but an adapter that changes one of them is not merged; merge it first`,
    );
  const found = proved(evidence, { input, output }, tied);
  return why === null ? found : { ...found, reason: sentence(why) };
}

/**
 * Writers of safetensors record the omitted name in the metadata; it proves something only if it is a name of the other role, in the same
 * language model, and not one that modules of other kinds have.
 */
const isAliased = ({ metadata, tensors }: TensorDirectory, there: StoredTensor, missing: 'input' | 'output'): boolean =>
  [...metadata].some(([name, of]) => {
    const place = of !== there.name || tensors.has(name) ? null : placeOf(name, missing);
    return (
      place !== null &&
      isTableItself(place.rest) &&
      !namesTable(name, missing === 'input' ? 'output' : 'input') &&
      !isOfAPart(name) &&
      strangeModule(place, [...tensors.keys()]) === null &&
      (!isGeneric(place.role) || place.before.length === 0)
    );
  });

function ofUnread(tables: FoundTables, { stem, packed }: UnreadTable): Verdict {
  if (packed === null) return withoutElements(stem);
  const isOutput = tables.input !== null;
  const [side, other] = isOutput ? ['output', tables.input!.name] : ['input', tables.output!.name];
  return {
    ...{ tied: false, evidence: isOutput ? 'packed-output' : 'packed-input' },
    ...{
      reason: `The file stores a separate ${side} table, '${stem}', which is ${packed}, beside '${other}'.`,
      candidates: [],
    },
  };
}

const withoutElements = (name: string): Verdict =>
  unknown(`'${name}' has no elements, as in a file saved by one rank of ZeRO-3; gather the weights first`);

const REASONS: Readonly<Partial<Record<TyingEvidence, (input: string, output: string) => string>>> = {
  'same-storage': (input, output) =>
    output === '' ? `${input} is named for both roles.` : `${input} and ${output} are two names of one storage.`,
  alias: (input, output) => `The file stores ${input || output} and lists it under the name of the other table too.`,
  'equal-bytes': (input, output) => `${input} and ${output} have equal bytes.`,
  'equal-values': (input, output) => `${input} and ${output} have equal values, up to how they are rounded.`,
  'missing-output': (input) =>
    `The file is a whole language model with one table, ${input}, and has no tensor that could be an output table.`,
  'missing-input': (_, output) =>
    `The file is a whole language model with one table, ${output}, and has no tensor that could be an input table.`,
  different: (input, output) => `${input} and ${output} differ.`,
};

const quoted = (tensor: StoredTensor | null): string => (tensor === null ? '' : `'${tensor.name.slice(0, 120)}'`);

const proved = (
  evidence: TyingEvidence,
  { input, output }: Pick<FoundTables, 'input' | 'output'>,
  tied: boolean,
): Verdict => ({ tied, evidence, reason: REASONS[evidence]!(quoted(input), quoted(output)), candidates: [] });

const sentence = (words: string): string => `${words[0]!.toUpperCase()}${words.slice(1)}.`;

const unknown = (why: string, candidates: readonly string[] = []): Verdict => ({
  ...{ tied: null, evidence: 'unknown', reason: sentence(why), candidates },
});

const noLanguageModel = (what: string): Verdict => ({
  ...{ tied: null, evidence: 'not-a-language-model', candidates: [] },
  reason: `The file is not a whole language model: ${what}.`,
});

/** What could be the table, or account for it; of these, `candidates` has those that can be named. */
function couldBeTable(
  { tensors }: TensorDirectory,
  names: readonly string[],
  there: StoredTensor,
  missing: 'input' | 'output',
): Verdict {
  const computed = computedTable(names, tensors);
  if (computed !== null)
    return unknown(
      `the ${missing} table, '${computed.name.slice(0, 120)}', is computed from ${listed(computed.parts)} when the model runs, and is not in the file; save the model after torch.nn.utils.${computed.undo}`,
    );
  const candidates = namable(
    names.map((name) => tensors.get(name)),
    there,
  );
  return unknown(`the ${missing} table may be ${listed(names)}${settledBy(there, candidates)}`, candidates);
}

function couldBeRead(
  { tensors }: TensorDirectory,
  others: readonly string[],
  there: StoredTensor,
  missing: 'input' | 'output',
): Verdict {
  const what =
    missing === 'output'
      ? 'a head that predicts something other than tokens, or lead to one'
      : 'what reads something other than tokens';
  const candidates = namable(
    others.map((name) => tensors.get(name)),
    there,
  );
  return unknown(`${listed(others)} may be ${what}${settledBy(there, candidates)}`, candidates);
}

const FOUND: Readonly<Record<TyingEvidence, string>> = {
  'same-storage': 'the two tables are one tensor',
  'missing-output': 'the file has no output table of its own',
  'missing-input': 'the file has no input table of its own',
  'equal-bytes': 'the two tables have equal bytes',
  'equal-values': 'the two tables have equal values, up to rounding',
  different: 'the file has two tables that differ',
  'packed-output': 'the file has an output table of its own, which is packed',
  'packed-input': 'the file has an input table of its own, which is packed',
  alias: 'the file names one table as both',
  'not-a-language-model': 'the file is not a whole language model',
  unknown: 'that is not known',
};

/** How `config.json` contradicts the tensors, in words: with the flag that rules, or with two that differ. */
export function conflictOf({ tied, evidence }: Pick<Verdict, 'tied' | 'evidence'>, said: SaidTying): string | null {
  return tied === null ? null : contradictionOf(said, tied, FOUND[evidence]);
}

/** A decoder may read from a table of its own beside the shared one. */
function withRoles(found: Verdict, roles: RolesTying | null): Verdict {
  const own =
    roles?.pairs.find(({ roles: [one, other] }) => one === 'decoder-input' && other === 'output')?.tied ?? null;
  if (roles === null || found.tied === null || own === null || own === found.tied) return found;
  const { shared, 'decoder-input': decoder, output } = roles.tensors;
  return unknown(
    `'${shared}' and '${decoder}' differ, and only one of them ${own ? 'is' : 'can be'} the output table${settledByOutput(decoder!)}`,
    [output ?? shared ?? decoder!],
  );
}

/** A missing table proves nothing against a configuration of a model with two. */
function withConfiguration(found: Verdict, tables: FoundTables, { says }: SaidTying, conflict: string | null): Verdict {
  const isMissing = found.evidence === 'missing-output' || found.evidence === 'missing-input';
  if (conflict === null || !isMissing) return found;
  const there = (tables.input ?? tables.output)!;
  return unknown(`the file has ${quoted(there)} alone, while config.json ${says}${settledBy(there, [])}`);
}
