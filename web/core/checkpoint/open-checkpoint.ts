/** Opens a checkpoint: reads headers, finds the tables, and determines whether they are one. Reads only the bytes that this takes. */
import type { CheckedOpening } from './options.js';
import type { CheckpointTying, RunnableCheckpoint } from './types.js';
import { TiedError } from '../runtime/errors.js';
import { pause } from '../runtime/pause.js';
import { findTokens, NO_CONFIGURATION, readConfiguration, type Configuration } from './companions.js';
import type { Decoder } from './decoder.js';
import { readDirectory, type Opened } from './directory.js';
import { tableDistance } from './tying/distance.js';
import { elsewhere, sourceOf, type OpenHow } from './given-source.js';
import { otherThanAModel, type FileFacts } from './tying/other-model.js';
import { OpenedCheckpoint } from './opened-checkpoint.js';
import { factsOfAll } from './tensor/tensor-facts.js';
import { adaptiveOutput, factorsOf } from './tying/own-model.js';
import type { ModelHost } from './model-host.js';
import { hasStandIns, ownTokens } from './tokens/own-tokenizer.js';
import { packingFacts } from './packed/packing-facts.js';
import { distinctNames } from './tables/layers.js';
import { withoutRepeats } from './tables/repeats.js';
import { tableShape, whyNotDecoded } from './rows/rows.js';
import { fieldsOf, readJson } from './formats/safetensors-index.js';
import { badFile, type ByteSource } from './bytes/source.js';
import { findTables, type FoundTables } from './tables/tables.js';
import { findTying, restsOnAbsence } from './tying/tying.js';
import { fitted, readTokens } from './tokens/token-strings.js';

export async function openCheckpoint(
  decoder: Decoder,
  opening: CheckedOpening,
  how: OpenHow = {},
): Promise<RunnableCheckpoint> {
  const { signal, onProgress, tables: wanted } = opening.options;
  const given = await sourceOf(opening, how);
  const { source } = given;
  let opened = await readDirectory(source, wanted, signal, elsewhere(opening, how, given));
  if (opened.tensors.size === 0) throw badFile(source.name, 'it has no tensors; expected a model');
  const others: ByteSource[] = [];
  const companion = async (name: string): Promise<ByteSource | null> => {
    const found = given.beside ? await source.beside(name, signal) : null;
    if (found !== null) others.push(found);
    return found;
  };
  const notes = [...source.notes];
  const configuration = await configurationOf(companion, notes, signal);
  const beside = {
    configuration: configuration.fields,
    isAdapter: await isAdapter(source.name, companion, configuration),
    embeds: once(() => embeds(opened.format, companion, signal)),
  };
  const judge = async (all: Opened, unopened: string | null): Promise<Judged> => {
    const { directory, names } = await withoutRepeats(all, [wanted?.input, wanted?.output]);
    const facts: FileFacts = { ...beside, directory, names, distinct: await distinctNames(names), unopened };
    const packing = await packingFacts(
      directory.tensors,
      configuration.fields,
      fieldsBeside(companion, signal),
      signal,
    );
    await pause();
    const tables = findTables({ ...directory, packing }, wanted, () =>
      otherThanAModel(facts, { hasInput: false, hasOutput: false }),
    );
    // Of many names, each of these takes some time.
    await pause();
    const onShare = onProgress ? { onShare: onProgress } : {};
    const tying = await findTying(facts, tables, configuration, { decoder, signal, ...onShare });
    return { searched: directory.tensors, tables, tying };
  };
  let found = await judge(opened, null);
  if (opened.openRest !== undefined && restsOnAbsence(found.tables)) {
    const rest = await tolerated(() => opened.openRest!(signal));
    if (typeof rest === 'string') found = await judge(opened, rest);
    else found = await judge((opened = rest), null);
  }
  const { searched, tables, tying: judged } = found;
  notes.push(...opened.notes, ...unreadable(tables));
  // Rows in two spaces have no distance, nor have rows in two orders, which are no table of the same tokens.
  const isOrdered = (tables.chosen.input && tables.chosen.output) || adaptiveOutput(opened) === null;
  const shown = isOrdered ? withUnread(tables) : { ...tables, output: null };
  const areApart = factorsOf(opened, shown.input, shown.output) !== null;
  const distance = areApart ? null : await distanceOf(judged, shown, { decoder, signal });
  const tying = { ...judged, distance };
  for (const more of [given.tokens, given.merges]) if (more !== undefined) others.push(more);
  const tokens = await tokensOf(
    opened,
    tables,
    { companion, named: given.tokens, host: decoder.models },
    notes,
    signal,
  );
  const otherBytes = (): number => others.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  const tokenFiles = { companion, named: given.tokens, merges: given.merges };
  await pause();
  const listed = await factsOfAll(opened);
  const findings = {
    listed,
    searched,
    tying,
    tokens,
    notes,
    otherBytes,
    configuration: configuration.fields,
    tokenFiles,
  };
  return new OpenedCheckpoint(opened, shown, findings, decoder);
}

interface Judged {
  /** The tensors that tell what all of them tell. */
  readonly searched: Opened['tensors'];
  readonly tables: FoundTables;
  readonly tying: CheckpointTying;
}

/** Both tables, if one of them is packed in a way whose rows can be read. */
const withUnread = (tables: FoundTables): FoundTables => {
  const rows = tables.unread?.rows ?? null;
  return { ...tables, input: tables.input ?? rows, output: tables.output ?? rows };
};

/** Two tables that differ, or of which one is packed. */
const HAVE_DISTANCE: readonly string[] = ['different', 'packed-output', 'packed-input'];

async function distanceOf(
  { evidence }: CheckpointTying,
  { input, output }: FoundTables,
  options: Parameters<typeof tableDistance>[2],
): Promise<CheckpointTying['distance']> {
  if (!HAVE_DISTANCE.includes(evidence) || input === null || output === null) return null;
  if (evidence === 'different') return tableDistance(input, output, options);
  // The verdict holds whatever is wrong with the numbers of a packed table.
  const found = await tolerated(async () => ({ distance: await tableDistance(input, output, options) }));
  return typeof found === 'string' ? null : found.distance;
}

/** Tables that are there, but cannot be read. */
const unreadable = ({ input, output }: FoundTables): string[] =>
  [input, output]
    .map((table) => (table === null ? null : whyNotDecoded(table)))
    .flatMap((why) => (why === null ? [] : [`${why}: its rows cannot be read, and have no token strings.`]));

/** Codes of errors that are tolerated in optional files: the tables work without them. */
const DISPENSABLE: readonly string[] = ['bad-file', 'shape-mismatch', 'unsupported', 'unreachable'];

/** What could not be read, in words, is no obstacle. */
async function tolerated<T extends object>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TiedError) || !DISPENSABLE.includes(error.code)) throw error;
    return error.message;
  }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => (reading ??= read());
}

async function configurationOf(
  companion: (name: string) => Promise<ByteSource | null>,
  notes: string[],
  signal: AbortSignal | undefined,
): Promise<Configuration> {
  try {
    const source = await companion('config.json');
    if (source === null) return NO_CONFIGURATION;
    const configuration = await readConfiguration(source, signal);
    if (configuration.disagreement !== null) notes.push(`config.json: ${configuration.disagreement}`);
    return configuration;
  } catch (error) {
    if (!(error instanceof TiedError) || !DISPENSABLE.includes(error.code)) throw error;
    notes.push(`The configuration was not read: ${error.message}`);
    return NO_CONFIGURATION;
  }
}

/** A model beside an adapter has a configuration; an adapter has its own instead. */
async function isAdapter(
  name: string,
  companion: (name: string) => Promise<ByteSource | null>,
  { fields }: Configuration,
): Promise<boolean> {
  const isNamed = /(?:^|[/\\])adapter[^/\\]*$/i.test(name.split('?')[0]!);
  if (fields !== null && !isNamed) return false;
  try {
    return (await companion('adapter_config.json')) !== null;
  } catch (error) {
    if (!(error instanceof TiedError) || !DISPENSABLE.includes(error.code)) throw error;
    return false;
  }
}

const LARGEST_LIST = 2 ** 20;

/** The fields of a small JSON file beside the model; null if there is none, or it cannot be read. */
const fieldsBeside =
  (companion: (name: string) => Promise<ByteSource | null>, signal: AbortSignal | undefined) =>
  async (name: string): Promise<ReadonlyMap<string, unknown> | null> => {
    const found = await tolerated(async () => {
      const source = await companion(name);
      return fieldsOf(source === null ? null : await readJson(source, LARGEST_LIST, signal));
    });
    return typeof found === 'string' || found.size === 0 ? null : found;
  };

/**
 * Whether `modules.json` beside the file lists a module that makes one vector of a text: Sentence Transformers saves such models under the
 * names, and often the class, that the language model had.
 */
async function embeds(
  format: Opened['format'],
  companion: (name: string) => Promise<ByteSource | null>,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (format !== 'safetensors' && format !== 'pytorch') return null;
  try {
    const source = await companion('modules.json');
    const listed = source === null ? [] : await readJson(source, LARGEST_LIST, signal);
    const types = Array.isArray(listed) ? listed.map((one: unknown) => String(fieldsOf(one).get('type'))) : [];
    const pooling = types.find((type) => /Pooling$/.test(type) && !/SpladePooling$/.test(type));
    return pooling === undefined
      ? null
      : `modules.json beside it lists ${pooling.slice(0, 80)}, which makes one vector of a text`;
  } catch (error) {
    if (!(error instanceof TiedError) || !DISPENSABLE.includes(error.code)) throw error;
    return null;
  }
}

interface TokensBeside {
  readonly companion: (name: string) => Promise<ByteSource | null>;
  readonly named: ByteSource | undefined;
  readonly host: ModelHost | undefined;
}

async function tokensOf(
  { metadata, values, tokens, sources }: Opened,
  { input, output }: FoundTables,
  { companion, named, host }: TokensBeside,
  notes: string[],
  signal: AbortSignal | undefined,
): Promise<string[] | null> {
  const table = (input ?? output)!;
  const rows = table.turned ? table.shape[1]! : table.shape[0]!;
  // For a type that cannot be decoded, the file size does not bound the number of rows.
  if (whyNotDecoded(table) !== null) return null;
  try {
    tableShape(table);
    const file = sources[0]!.name;
    const own = await ownTokens({ metadata, values }, host, file);
    if (own !== null) return fitted(own, rows, file, notes, true);
    if (tokens !== null && !hasStandIns({ values })) return fitted(tokens, rows, file, notes, true);
    if (named !== undefined) return fitted(await readTokens(named, rows, signal), rows, named.name, notes);
    return await findTokens(companion, rows, notes, signal);
  } catch (error) {
    if (!(error instanceof TiedError) || !DISPENSABLE.includes(error.code)) throw error;
    notes.push(`Token strings were not read: ${error.message}`);
    return null;
  }
}
