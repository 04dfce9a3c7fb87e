/** A checkpoint whose headers have been read; returns rows of its tensors. */
import { invalidArgument, TiedError } from '../runtime/errors.js';
import type { IdentityCard, IdentityCardOptions } from './card/identity-card-types.js';
import type { Matrix, Tokenizer, Trainer } from '../types.js';
import { checkFunction, checkOptions, checkSignal, checkString, nearest, readList } from '../runtime/validate.js';
import type {
  Checkpoint,
  CheckpointFormat,
  CheckpointTensor,
  CheckpointTying,
  LeftOutParts,
  MatrixOptions,
  RunnableCheckpoint,
  ToTrainerOptions,
} from './types.js';
import type { CheckpointComparison, CompareCheckpointsOptions } from './comparison/comparison-types.js';
import type { TensorReport, TensorReportOptions, TensorWindowOptions } from './tensor/tensor-types.js';
import { compareCheckpoints, UnfinishedComparison, type ComparedSubject } from './comparison/comparison.js';
import { checkComparison, MOST_COMPARED } from './comparison/comparison-options.js';
import type { Decoder } from './decoder.js';
import type { ElementType } from './elements/element-types.js';
import type { Opened } from './directory.js';
import { findFinalNorm } from './tables/final-norm.js';
import { ggufTokenizer } from './tokens/gguf-tokenizer.js';
import {
  identityCard,
  isInterruption,
  UnfinishedCard,
  type CardSubject,
  type Role,
  type TableFacts,
} from './card/identity-card.js';
import { checkCard } from './card/identity-options.js';
import type { ModelHost } from './model-host.js';
import { leftOut, type LeftOut } from './card/left-out.js';
import { LEAST_SHARED, sharedIds } from './comparison/length-agreement.js';
import { modelOfFiles, type FactsOfFiles } from './running/model-of-files.js';
import { unstacked } from './running/namings.js';
import { obstacleOf } from './running/obstacle.js';
import { factorsOf } from './tying/own-model.js';
import { ownTokenizer } from './tokens/own-tokenizer.js';
import { rangesOf, selected } from './rows/row-selection.js';
import { RowReader, tableShape, turned } from './rows/rows.js';
import { throwIfAborted } from './bytes/source.js';
import { matrixRows, storedRows } from './card/table-rows.js';
import type { FoundTables } from './tables/tables.js';
import { matrixOfTensor } from './tensor/tensor-elements.js';
import { checkReport, checkWindow, tensorReport, tensorWindow } from './tensor/tensor-report.js';
import { factsOf } from './tensor/tensor-facts.js';
import type { StoredTensor } from './tensors.js';
import { filledTrainer, type Filling } from './running/to-trainer.js';
import { checkToTrainer } from './running/to-trainer-options.js';
import { findTokenizer, noteOnce, type TokenFiles } from './tokens/tokenizer-files.js';

export interface Findings {
  /** All tensors, as the caller sees them. */
  readonly listed: readonly CheckpointTensor[];
  /** Those that tell what all of them tell. */
  readonly searched: ReadonlyMap<string, StoredTensor>;
  readonly tying: CheckpointTying;
  readonly tokens: readonly string[] | null;
  readonly notes: string[];
  readonly otherBytes: () => number;
  /** The fields of `config.json`. */
  readonly configuration: ReadonlyMap<string, unknown> | null;
  readonly tokenFiles: TokenFiles;
}

export class OpenedCheckpoint implements RunnableCheckpoint {
  readonly format: CheckpointFormat;
  readonly tensors: readonly CheckpointTensor[];
  readonly isWhole: boolean;
  readonly tables: Checkpoint['tables'];
  readonly tying: CheckpointTying;
  readonly leftOut: LeftOutParts;
  readonly tokens: readonly string[] | null;
  readonly notes: readonly string[];
  readonly #leftOut: LeftOut;
  readonly #opened: Opened;
  readonly #stored: { input: StoredTensor | null; output: StoredTensor | null };
  readonly #decoder: Decoder;
  readonly #findings: Findings;
  /** A call that failed halfway, by its arguments. */
  #unfinished: { readonly key: string; readonly reader: RowReader } | null = null;
  /** A card whose call was interrupted, by its options. */
  #card: { readonly key: string; readonly unfinished: UnfinishedCard } | null = null;
  /** A comparison whose call was interrupted, by what it compares. */
  #comparison: { readonly key: readonly unknown[]; readonly unfinished: UnfinishedComparison } | null = null;
  #isDisposed = false;

  constructor(opened: Opened, { input, output }: FoundTables, findings: Findings, decoder: Decoder) {
    const isOneStorage = findings.tying.evidence === 'same-storage';
    const isOneTable = findings.tying.tied === true && (input === null || output === null || isOneStorage);
    this.#opened = opened;
    this.#decoder = decoder;
    this.#findings = findings;
    this.#stored = isOneTable ? { input: input ?? output, output: input ?? output } : { input, output };
    this.format = opened.format;
    this.tensors = findings.listed;
    this.isWhole = opened.names === undefined && opened.isPart !== true;
    this.tables = {
      input: this.#stored.input && factsOf(this.#stored.input),
      output: this.#stored.output && factsOf(this.#stored.output),
    };
    this.tying = findings.tying;
    this.#leftOut = leftOut({
      tensors: findings.searched,
      outputName: (output ?? input)!.name,
      configuration: findings.configuration,
      values: opened.values,
    });
    this.leftOut = { output: this.#leftOut.output, notes: this.#leftOut.notes };
    this.tokens = findings.tokens;
    this.notes = findings.notes;
  }

  get bytesRead(): number {
    return this.#opened.sources.reduce((sum, { bytesRead }) => sum + bytesRead, this.#findings.otherBytes());
  }

  async matrix(name: string, options: MatrixOptions = {}): Promise<Matrix> {
    this.#checkLive();
    const { rows, onProgress, signal } = checkOptions('options', options, ['rows', 'onProgress', 'signal']);
    if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
    if (signal !== undefined) checkSignal('options.signal', signal);
    throwIfAborted(signal);
    const tensor = this.#tensor(checkString('name', name));
    const shape = tableShape(tensor);
    const isTurned = this.#isTurned(tensor);
    const ranges = rangesOf(rows, isTurned ? shape.cols : shape.rows);
    // In a matrix with contiguous columns, a row is spread over all stored rows.
    const stored = isTurned ? [{ from: 0, to: shape.rows }] : ranges;
    const key = JSON.stringify([tensor.name, isTurned, ranges]);
    const reader = this.#unfinished?.key === key ? this.#unfinished.reader : new RowReader(tensor, stored);
    this.#unfinished = { key, reader };
    const all = reader.matrix.rows;
    const onRows = onProgress && ((done: number): void => onProgress(done / all));
    const matrix = await reader.finish({ decoder: this.#decoder, signal, ...(onRows ? { onRows } : {}) });
    if (this.#unfinished?.reader === reader) this.#unfinished = null;
    return isTurned ? selected(turned(matrix), ranges) : matrix;
  }

  async tensorReport(name: string, options: TensorReportOptions = {}): Promise<TensorReport> {
    this.#checkLive();
    const checked = checkReport(options);
    throwIfAborted(checked.signal);
    const tensor = this.#readable(checkString('name', name));
    const { name: called, dtype } = factsOf(tensor);
    const shape = tensor.turned ? [...tensor.shape].reverse() : [...tensor.shape];
    const facts = { name: called, shape, dtype };
    return tensorReport(facts, matrixOfTensor(tensor), tensor.turned === true, checked, this.#decoder);
  }

  async tensorWindow(name: string, options: TensorWindowOptions = {}): Promise<Matrix> {
    this.#checkLive();
    const tensor = this.#readable(checkString('name', name));
    const matrix = matrixOfTensor(tensor);
    const isTurned = tensor.turned === true;
    const { rows, cols } = matrix;
    const checked = isTurned ? checkWindow(options, cols, rows) : checkWindow(options, rows, cols);
    throwIfAborted(checked.signal);
    return tensorWindow(matrix, isTurned, checked, this.#decoder);
  }

  /** A tensor as it can be decoded: a table that is packed in several tensors, with its numbers arranged. */
  #readable(name: string): StoredTensor {
    const { input, output } = this.#stored;
    return [input, output].find((table) => table?.arrangedFrom?.name === name) ?? this.#tensor(name);
  }

  async identityCard(options: IdentityCardOptions = {}): Promise<IdentityCard> {
    this.#checkLive();
    const { input, output } = this.#stored;
    const table = (input ?? output)!;
    const shape = tableShape(table);
    const [rows, cols] = this.#isTurned(table) ? [shape.cols, shape.rows] : [shape.rows, shape.cols];
    const checked = checkCard(options, rows, this.tokens);
    throwIfAborted(checked.signal);
    const { tokens, sampled, seed, neighbors, text } = checked;
    const key = JSON.stringify([...tokens, sampled, seed, neighbors, ...(text ? [text.unread, ...text.ids] : [])]);
    // Taken out, so a concurrent call begins its own.
    const kept = this.#takeCard(key);
    const unfinished = kept ?? new UnfinishedCard(await this.#cardSubject(table, cols, checked.signal));
    try {
      return await identityCard(unfinished, checked);
    } catch (error) {
      if (isInterruption(error) && !this.#isDisposed) {
        this.#card?.unfinished.dispose();
        this.#card = { key, unfinished };
      } else unfinished.dispose();
      throw error;
    }
  }

  #takeCard(key: string): UnfinishedCard | null {
    const card = this.#card;
    this.#card = null;
    if (card === null || card.key === key) return card && card.unfinished;
    card.unfinished.dispose();
    return null;
  }

  async #cardSubject(table: StoredTensor, cols: number, signal: AbortSignal | undefined): Promise<CardSubject> {
    const found = findFinalNorm(this.#findings.searched, cols, table.name);
    const weight = found && (await this.#vector(found.tensor, signal));
    const bias = found?.biasTensor ? await this.#vector(found.biasTensor, signal) : null;
    const tables = await this.#bothFacts(signal);
    return {
      facts: { format: this.format, tying: this.tying },
      tables,
      tokens: this.tokens,
      fileBytes: this.tensors.reduce((sum, { bytes, sharedWith }) => sum + (sharedWith === undefined ? bytes : 0), 0),
      decoder: this.#decoder,
      norm: found && weight ? { ...found, weight, bias } : null,
      leftOut: this.#leftOut,
      matrix: (role, ids, until) => this.matrix(role, { rows: ids, ...(until ? { signal: until } : {}) }),
    };
  }

  obstacle(options: Pick<ToTrainerOptions, 'model'> = {}): string | null {
    this.#checkLive();
    const { model } = checkToTrainer(checkOptions('options', options, ['model']));
    const opened = this.#opened;
    // Notes are only for models that run.
    const facts = (): FactsOfFiles => ({ ...this.#factsOfFiles(this.#findings.searched), notes: [] });
    return obstacleOf(facts, opened.names ?? null, this.#tablesToRead(), model);
  }

  #tablesToRead(): Filling['tables'] {
    const { input, output } = this.#stored;
    return { input: (input ?? output)!, output };
  }

  #factsOfFiles(tensors: ReadonlyMap<string, StoredTensor>): FactsOfFiles {
    const table = (this.#stored.input ?? this.#stored.output)!;
    const { rows, cols } = tableShape(table);
    const [tokens, width] = table.turned ? [cols, rows] : [rows, cols];
    const { configuration, notes } = this.#findings;
    return {
      ...{ opened: this.#opened, tensors: unstacked(tensors), tying: this.tying, configuration, notes },
      table: { name: table.name, rows: tokens, cols: width },
    };
  }

  async toTrainer(options: ToTrainerOptions = {}): Promise<Trainer> {
    this.#checkLive();
    const checked = checkToTrainer(options);
    throwIfAborted(checked.signal);
    const host = this.#host();
    const opened = this.#opened;
    const { searched } = this.#findings;
    // Of very many tensors, few tell that a model is of another architecture.
    if (opened.openRest === undefined && searched !== opened.tensors)
      modelOfFiles({ ...this.#factsOfFiles(searched), notes: [] }, checked.model);
    const facts = this.#factsOfFiles(
      opened.openRest ? (await opened.openRest(checked.signal)).tensors : opened.tensors,
    );
    const found = modelOfFiles(facts, checked.model);
    const tables = this.#tablesToRead();
    const own = checked.tokenizer === undefined ? await this.#fitting(facts.table.rows, checked.signal) : null;
    const tokenizer = own ?? (checked.tokenizer as Tokenizer | undefined);
    try {
      return await filledTrainer({ host, decoder: this.#decoder, facts, found, tables, tokenizer }, checked);
    } finally {
      own?.dispose();
    }
  }

  async tokenizer(options: { signal?: AbortSignal } = {}): Promise<Tokenizer | null> {
    this.#checkLive();
    const { signal } = checkOptions('options', options, ['signal']);
    if (signal !== undefined) checkSignal('options.signal', signal);
    throwIfAborted(signal);
    const { tokenFiles, notes } = this.#findings;
    const first = this.#opened.sources[0]!;
    const stored = ownTokenizer(this.#opened);
    const own =
      stored ?? (this.format === 'gguf' ? await ggufTokenizer(first, (why) => noteOnce(notes, why), signal) : null);
    const source = own ?? (await findTokenizer(tokenFiles, notes, signal));
    if (source === null) return null;
    const host = this.#host();
    try {
      return await host.loadTokenizer(source);
    } catch (error) {
      if (!(error instanceof TiedError) || !['bad-file', 'unsupported'].includes(error.code)) throw error;
      noteOnce(notes, `There is no tokenizer: ${error.message}`);
      return null;
    }
  }

  /** The files' own tokenizer, if it has as many tokens as the table has rows. */
  async #fitting(rows: number, signal: AbortSignal | undefined): Promise<Tokenizer | null> {
    const tokenizer = await this.tokenizer(signal ? { signal } : {});
    if (tokenizer === null || tokenizer.vocabSize === rows) return tokenizer;
    const { vocabSize } = tokenizer;
    tokenizer.dispose();
    noteOnce(
      this.#findings.notes,
      `The tokenizer has ${vocabSize} tokens, the table ${rows} rows: the model runs without it.`,
    );
    return null;
  }

  #host(): ModelHost {
    const { models } = this.#decoder;
    if (models) return models;
    throw new TiedError('unsupported', 'this checkpoint was opened without a core or a lab; expected one to run it');
  }

  async compareWith(
    others: readonly Checkpoint[],
    options: CompareCheckpointsOptions = {},
  ): Promise<CheckpointComparison> {
    const list = readList(others, 1, MOST_COMPARED - 1);
    if (list === null) throw invalidArgument('others', others, `1 to ${MOST_COMPARED - 1} checkpoints`);
    const opened = list.map((one, at) => {
      if (typeof one === 'object' && one !== null && #opened in one) return one;
      throw invalidArgument(`others[${at}]`, one, 'a checkpoint that openCheckpoint returned');
    });
    const all: readonly OpenedCheckpoint[] = [this, ...opened];
    const checked = checkComparison(options, all.length);
    for (const one of all) one.#checkLive();
    throwIfAborted(checked.signal);
    opened.forEach((one, at) => all[checked.against === 'first' ? 0 : at]!.#checkComparable(one, `others[${at}]`));
    const key = [...opened, checked.against, checked.seed];
    // Taken out, as cards are.
    const kept = this.#takeComparison(key);
    const unfinished = kept ?? new UnfinishedComparison(await comparedSubjects(), this.#decoder);
    try {
      return await compareCheckpoints(unfinished, checked);
    } catch (error) {
      if (isInterruption(error) && !this.#isDisposed) {
        this.#comparison?.unfinished.dispose();
        this.#comparison = { key, unfinished };
      } else unfinished.dispose();
      throw error;
    }

    async function comparedSubjects(): Promise<ComparedSubject[]> {
      const subjects: ComparedSubject[] = [];
      for (const one of all) {
        const { format, tying, tokens } = one;
        subjects.push({ facts: { format, tying }, tables: await one.#bothFacts(checked.signal), tokens });
      }
      return subjects;
    }
  }

  #takeComparison(key: readonly unknown[]): UnfinishedComparison | null {
    const comparison = this.#comparison;
    this.#comparison = null;
    if (comparison === null) return null;
    const isSame = comparison.key.length === key.length && comparison.key.every((part, at) => part === key[at]);
    if (isSame) return comparison.unfinished;
    comparison.unfinished.dispose();
    return null;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#unfinished = null;
    this.#card?.unfinished.dispose();
    this.#card = null;
    this.#comparison?.unfinished.dispose();
    this.#comparison = null;
  }

  #checkLive(): void {
    if (this.#isDisposed) throw new TiedError('disposed', 'the checkpoint was disposed of; open it again');
  }

  /** Rows are compared by id, column by column; for tables of different shapes, row lengths are compared by token string. */
  #checkComparable(other: OpenedCheckpoint, name: string): void {
    const hasShared = (): boolean =>
      this.tokens !== null && other.tokens !== null && sharedIds(this.tokens, other.tokens).length >= LEAST_SHARED;
    for (const role of ['input', 'output'] as const) {
      const [mine, theirs] = [this.#shape(role), other.#shape(role)];
      if (mine === null || theirs === null || (mine[0] === theirs[0] && mine[1] === theirs[1])) continue;
      if (hasShared()) continue;
      throw new TiedError(
        'shape-mismatch',
        `${name} has an ${role} table of [${theirs.join(', ')}]; expected [${mine.join(', ')}], the shape of what it is compared with, or token strings in both`,
      );
    }
    if (['input', 'output'].every((role) => this.#shape(role as Role) === null || other.#shape(role as Role) === null))
      throw new TiedError(
        'shape-mismatch',
        `${name} has no table in any role of what it is compared with; expected one that both have`,
      );
  }

  /** The numbers of tokens and columns. */
  #shape(role: Role): readonly [number, number] | null {
    const table = this.#stored[role];
    if (table === null) return null;
    const { rows, cols } = tableShape(table);
    return this.#isTurned(table) ? [cols, rows] : [rows, cols];
  }

  /** Equal bytes are read once, under whichever names. */
  async #bothFacts(signal: AbortSignal | undefined): Promise<Record<Role, TableFacts | null>> {
    const { input, output } = this.#stored;
    const first = input && (await this.#tableFacts('input', input, signal));
    const isOne = input !== null && (output === input || this.tying.evidence === 'equal-bytes');
    if (output === null || !isOne || first === null) {
      const isApart = factorsOf(this.#opened, input, output) !== null;
      return { input: first, output: output && { ...(await this.#tableFacts('output', output, signal)), isApart } };
    }
    return { input: first, output: { ...first, tensor: factsOf(output) } };
  }

  /** A turned table has to be loaded into memory to be read by rows. */
  async #tableFacts(role: Role, tensor: StoredTensor, signal: AbortSignal | undefined): Promise<TableFacts> {
    const isTurned = this.#isTurned(tensor);
    const table = isTurned ? matrixRows(await this.matrix(role, signal ? { signal } : {})) : storedRows(tensor);
    return { tensor: factsOf(tensor), table };
  }

  async #vector(
    { source, from, bytes, dtype, shape }: StoredTensor,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array> {
    const stored = await source.read(from, bytes, signal);
    return this.#decoder.decodeElements(dtype as ElementType, stored, shape[0]!);
  }

  #tensor(name: string): StoredTensor {
    const { tensors } = this.#opened;
    if (name === 'input' || name === 'output') {
      const table = this.#stored[name];
      if (table !== null) return table;
      throw new TiedError(
        'invalid-argument',
        `name is '${name}', a table that the file does not have; expected the name of one of its tensors`,
      );
    }
    const tensor = tensors.get(name);
    if (tensor !== undefined) return tensor;
    const near = nearest(name, [...tensors.keys()]);
    throw invalidArgument(
      'name',
      name,
      `'input', 'output' or a tensor of the file${near === null ? '' : `; did you mean '${near}'?`}`,
    );
  }

  /** Because of the storage order in the file, or because some programs store the output table with one column per token. */
  #isTurned(tensor: StoredTensor): boolean {
    const isTurned = tensor.turned === true;
    const { input, output } = this.#stored;
    if (tensor !== output || input === null || tensor === input || tensor.hasRowsOfTokens === true) return isTurned;
    const [rows, cols] = factsOf(input).shape;
    const [first, second] = factsOf(tensor).shape;
    const hasColumns = rows !== cols && first === cols && second === rows;
    return isTurned !== hasColumns;
  }
}
