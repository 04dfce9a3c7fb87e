import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { TableCandidate } from '../../core/runtime/errors.js';
import { isSupported } from '../../core/runtime/support.js';
import type { Lab } from '../../core/types.js';
import { mostDeaths } from '../shared/lab-lease.js';
import { Task } from '../shared/task.js';
import { whenGone, type Host } from '../shared/when-gone.js';
import { isPart, sortFile, together, type SortedFile } from './checkpoint-files.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import { modelsIn } from './compare/models-in.js';
import type { Listening } from './listening.js';
import { openModel, runOpened, type OpenedModel, type Wanted } from './opening.js';
import { bytesInWords, nameOf, refusalOf, type Refusal } from './refusal.js';
import { tokenCount } from './running-model.js';
import { likelyTables, tablesInDoubt, type ChosenTables } from './table-choice.js';

/**
 * The reader's files, or anything else to open. `again`: reopen the model in another lab. `run`: run the open model.
 */
type Asked = { readonly files: readonly File[] } | { readonly wanted: Wanted } | 'again' | 'run';

/** What an opener needs from its figure. */
export interface OpenerHost {
  readonly ask: <Answer>(question: (lab: Lab) => Promise<Answer>) => Promise<Answer>;
  /** Whether an error means that the lab has died. */
  readonly lost: (error: unknown) => Promise<boolean>;
  readonly texts: () => CheckpointStrings;
  /** Shows a sentence in the figure; null: none. */
  readonly showProblem: (problem: string | null) => void;
  readonly fail: (error: unknown) => void;
  /**
   * A model is open and replaces the previous one. `again`: it is the same model as before. `beside`: other models that
   * came with it.
   */
  readonly shown: (opened: OpenedModel, again: boolean, beside: readonly Wanted[]) => void;
}

/** A refusal, with what was wanted at the time. */
class Refused extends Error {
  constructor(
    readonly wanted: Wanted,
    override readonly cause: unknown,
  ) {
    super('refused');
  }
}

/**
 * Opens one model after another. The open model stays until another one is open: a file that is refused, cancelled or
 * cut off replaces nothing.
 */
export class Opener {
  opened: OpenedModel | null = null;
  refusal: Refusal | null = null;
  /** The reader's choice if a file does not say which tensors are its tables. */
  chosen: ChosenTables = { input: 0, output: null };
  /** What is being opened, or was opened last. */
  wanted: Wanted | null = null;
  /** The last model that the reader opened, other than the page's models. */
  yours: Wanted | null = null;
  error: Error | null = null;
  private progress: string | null = null;
  /** The reader's files: the open ones, or those that wait for their model. */
  private files: readonly SortedFile[] = [];
  /** Files that could not be opened yet: parts may be missing. */
  private attempt: readonly SortedFile[] = [];
  /** Models that came with the one that is being opened. */
  private beside: readonly Wanted[] = [];
  /** Weights and tokenizer may be dropped one after another; neither replaces the other. */
  private readonly task: Task<Asked>;

  constructor(
    private readonly host: Host,
    private readonly figure: OpenerHost,
  ) {
    this.task = new Task<Asked>(host, {
      order: 'queue',
      run: (asked, signal) => this.run(asked, signal),
      failed: (error) => this.refuse(error),
    });
    whenGone(host, () => {
      this.opened?.dispose();
      this.opened = null;
    });
  }

  get pending(): boolean {
    return this.task.pending;
  }

  /** The current activity in words; null at rest. */
  get busy(): string | null {
    return this.pending ? (this.progress ?? this.figure.texts().opening('')) : null;
  }

  useFiles(files: readonly File[]): Promise<void> {
    if (this.wanted !== null && this.wanted.place.kind !== 'files') this.task.cancel();
    return this.task.request({ files });
  }

  /** Opens `wanted` and cancels anything that is being opened. */
  use(wanted: Wanted): Promise<void> {
    this.task.cancel();
    return this.task.request({ wanted });
  }

  /** Opens the same model in another lab. */
  again(): Promise<void> {
    return this.task.request('again');
  }

  /** Reads the rest of the open model, and runs it. */
  runHere(): Promise<void> {
    return this.task.request('run');
  }

  cancel(): void {
    this.task.cancel();
    this.wanted = this.opened?.wanted ?? this.wanted;
    this.figure.showProblem(this.figure.texts().cancelled);
  }

  /** Tries the refused file once more; `wholeFile`: with the download that the reader has agreed to. */
  retry(wholeFile: boolean): void {
    const { refusal } = this;
    const wanted = refusal?.wanted ?? null;
    if (refusal === null || wanted === null) return;
    void this.use({
      ...wanted,
      ...(wholeFile && refusal.wholeFile !== null ? { wholeFile: refusal.wholeFile } : {}),
    });
  }

  /** What the reader may choose tables from: in a file that was refused for that, or in an open one without a verdict. */
  get choice(): { readonly wanted: Wanted; readonly tables: readonly TableCandidate[] } | null {
    const { refusal, opened } = this;
    if (refusal !== null)
      return refusal.wanted === null || refusal.tables.length === 0
        ? null
        : { wanted: refusal.wanted, tables: refusal.tables };
    const tables = opened === null ? [] : tablesInDoubt(opened.checkpoint);
    return opened === null || tables.length < 2 ? null : { wanted: opened.wanted, tables };
  }

  /** Opens the file with the chosen tables. */
  useChosenTables(): void {
    const { choice, chosen } = this;
    const input = choice?.tables[chosen.input]?.name;
    if (choice === null || input === undefined) return;
    const output = chosen.output === null ? input : (choice.tables[chosen.output]?.name ?? input);
    void this.use({ ...choice.wanted, tables: { input, output } });
  }

  /** Calls `act` with the open model, and again with a reopened one if its lab has died; null if no model is open. */
  async useOpened<Answer>(act: (opened: OpenedModel) => Promise<Answer>): Promise<Answer | null> {
    for (let deaths = 1; ; deaths++) {
      const { opened } = this;
      if (opened === null) return null;
      try {
        return await act(opened);
      } catch (error) {
        if (deaths > mostDeaths || !(await this.figure.lost(error))) throw error;
        await this.again();
        if (this.opened === null || this.opened === opened) throw error;
      }
    }
  }

  private report(words: string | null): void {
    this.progress = words;
    this.host.requestUpdate();
  }

  private async run(asked: Asked, signal: AbortSignal): Promise<void> {
    this.figure.showProblem(null);
    this.refusal = this.error = null;
    this.report(null);
    if (asked === 'run') return this.runOpen(signal);
    const again = asked === 'again';
    this.beside = [];
    const wanted = again ? this.wanted : 'wanted' in asked ? asked.wanted : await this.sorted(asked.files, signal);
    if (wanted !== null && !signal.aborted) await this.open(wanted, again, signal);
  }

  private async runOpen(signal: AbortSignal): Promise<void> {
    const { opened } = this;
    if (opened === null) return;
    const wanted = { ...opened.wanted, run: true };
    let running: OpenedModel;
    try {
      running = await this.figure.ask((lab) => runOpened(lab, opened, this.listening(signal)));
    } catch (error) {
      throw new Refused(wanted, error);
    }
    if (signal.aborted || this.opened !== opened) {
      running.running?.trainer.dispose();
      return;
    }
    this.opened = running;
    this.wanted = wanted;
    if (this.yours === opened.wanted) this.yours = wanted;
    this.figure.shown(running, true, []);
  }

  /** Finds out what each of the reader's files is for. */
  async sort(files: readonly File[]): Promise<SortedFile[]> {
    const found: SortedFile[] = [];
    for (const file of files) found.push(await this.figure.ask((lab) => sortFile(lab, file)));
    return found;
  }

  /** Null if files wait for their model. */
  private async sorted(files: readonly File[], signal: AbortSignal): Promise<Wanted | null> {
    const texts = this.figure.texts();
    const come: SortedFile[] = [];
    for (const file of files) {
      this.report(texts.opening(file.name));
      come.push(await this.figure.ask((lab) => sortFile(lab, file)));
      if (signal.aborted) return null;
    }
    const [one = come, ...more] = modelsIn(come);
    this.beside = more.map((files) => ({ place: { kind: 'files', files } }));
    if (more.length > 0) return { place: { kind: 'files', files: one } };
    const goesOn = come.every(isPart) && this.attempt.some(isPart);
    const all = together(goesOn ? this.attempt : this.files, come);
    if (all.some(({ role }) => role === 'tensors' || role === 'llama2c'))
      return { place: { kind: 'files', files: all } };
    this.files = all;
    const [first] = come;
    if (first !== undefined) this.figure.showProblem(texts.needsModelToo[first.role](first.file.name));
    return null;
  }

  private async open(wanted: Wanted, again: boolean, signal: AbortSignal): Promise<void> {
    const texts = this.figure.texts();
    const before = this.opened;
    const { place } = wanted;
    this.wanted = wanted;
    this.attempt = place.kind === 'files' ? place.files : [];
    this.report(texts.opening(nameOf(wanted, texts)));
    let opened: OpenedModel;
    try {
      const listening = this.listening(signal);
      opened = await this.figure.ask((lab) => openModel(lab, wanted, listening, texts.pageModels));
    } catch (error) {
      // The model that is shown stays, and is the one to open again.
      if (!signal.aborted && before !== null) this.wanted = before.wanted;
      throw new Refused(wanted, error);
    }
    if (signal.aborted) {
      opened.dispose();
      return;
    }
    this.opened?.dispose();
    this.opened = opened;
    this.chosen = likelyTables(tablesInDoubt(opened.checkpoint));
    const { misfit } = opened;
    if (place.kind !== 'page') this.yours = wanted;
    // A tokenizer that does not fit is dropped.
    this.files =
      place.kind === 'files' ? place.files.filter(({ role }) => misfit === null || role !== 'tokenizer') : [];
    this.attempt = [];
    this.figure.shown(opened, again, this.beside);
    if (misfit !== null) await this.reportMisfit(misfit, opened);
  }

  private listening(signal: AbortSignal): Listening {
    const texts = this.figure.texts();
    const report = (words: string): void => {
      if (!signal.aborted) this.report(words);
    };
    return {
      signal,
      onBytes: (bytes, of) => {
        const [here, all] = [bytesInWords(bytes), of === null ? null : bytesInWords(of)];
        report(all === null ? texts.received(here) : texts.receivedOf(here, all));
      },
      onShare: (share) => report(texts.comparing(formatNumber(share * 100, { decimals: 0 }))),
      onModel: (share) => report(texts.readingModel(formatNumber(share * 100, { decimals: 0 }))),
    };
  }

  private async reportMisfit(
    { error, file }: NonNullable<OpenedModel['misfit']>,
    { running }: OpenedModel,
  ): Promise<void> {
    const tokens = await this.figure.ask((lab) => tokenCount(lab, file));
    const sentence = this.figure
      .texts()
      .wrongTokenizer(formatWhole(tokens), formatWhole(running?.model.vocabSize ?? 0));
    this.error = error;
    this.refusal = { sentence, technical: error.message, wanted: null, tables: [], wholeFile: null, canRetry: false };
    this.figure.showProblem(sentence);
  }

  private refuse(failure: unknown): void {
    const error = failure instanceof Refused ? failure.cause : failure;
    const wanted = failure instanceof Refused ? failure.wanted : null;
    this.error = error instanceof Error ? error : new Error(String(error));
    this.refusal = isSupported().supported ? refusalOf(error, wanted, this.figure.texts()) : null;
    if (this.refusal === null) this.figure.fail(error);
    else {
      this.chosen = likelyTables(this.refusal.tables);
      this.figure.showProblem(this.refusal.sentence);
    }
  }
}
