import type { CheckpointComparison, CompareCheckpointsOptions, Lab } from '../../../core/types.js';
import { codeOf } from '../../shared/error-code.js';
import { Task } from '../../shared/task.js';
import { whenGone, type Host } from '../../shared/when-gone.js';
import type { UseOpened } from '../card/card-maker.js';
import type { CheckpointStrings } from '../checkpoint.strings.js';
import { loadMeasured, type Measured } from '../load-measured.js';
import { openModel, type OpenedModel, type Wanted } from '../opening.js';

export type Against = NonNullable<CompareCheckpointsOptions['against']>;

/** The comparison, and the module that draws it. */
export interface MadeComparison extends CheckpointComparison {
  readonly views: Measured;
}

/** What a comparer needs from its figure. */
export interface ComparerHost {
  readonly use: UseOpened;
  readonly ask: <Answer>(question: (lab: Lab) => Promise<Answer>) => Promise<Answer>;
  readonly texts: () => CheckpointStrings;
  readonly failed: (error: unknown) => void;
}

/** Opens other models and compares them with the open one. */
export class Comparer {
  /** The models to compare, in order. */
  wanted: readonly Wanted[] = [];
  against: Against = 'first';
  comparison: MadeComparison | null = null;
  /** The models of an interrupted comparison; asked for again, it continues from there. */
  interrupted: readonly Wanted[] | null = null;
  /** Opened models, with the model that they were opened beside. After the death of its lab, all are opened again. */
  private open: { readonly beside: OpenedModel; readonly models: Map<Wanted, OpenedModel> } | null = null;
  /** Reports the fraction of rows that have been compared. */
  readonly task: Task<null, MadeComparison | null>;

  constructor(
    private readonly host: Host,
    private readonly figure: ComparerHost,
  ) {
    this.task = new Task(host, {
      order: 'replace',
      run: (_, ...listening) => figure.use((opened) => this.compare(opened, ...listening)),
      done: (comparison) => {
        this.comparison = comparison;
      },
      failed: (error) => {
        this.takeBack(codeOf(error) === 'unreachable');
        figure.failed(error);
      },
    });
    whenGone(host, () => this.closeAll());
  }

  add(wanted: readonly Wanted[]): Promise<void> {
    this.wanted = [...this.wanted, ...wanted];
    return this.start();
  }

  leaveOut(at: number): void {
    this.wanted = this.wanted.filter((_, place) => place !== at);
    if (this.wanted.length > 0) void this.start();
    else this.clear();
  }

  choose(against: Against): void {
    this.against = against;
    void this.start();
  }

  cancel(): void {
    this.task.stop();
    this.takeBack(true);
    this.host.requestUpdate();
  }

  /** Continues an interrupted comparison. */
  goOn(): Promise<void> {
    this.wanted = this.interrupted ?? this.wanted;
    return this.start();
  }

  /** Removes models from the list that were not compared. */
  private takeBack(canGoOn: boolean): void {
    this.interrupted = canGoOn ? this.wanted : null;
    this.wanted = this.wanted.slice(0, this.comparison === null ? 0 : this.comparison.data.checkpoints.length - 1);
  }

  clear(): void {
    this.task.cancel();
    this.wanted = [];
    this.comparison = this.interrupted = null;
    this.closeAll();
    this.host.requestUpdate();
  }

  private start(): Promise<void> {
    this.interrupted = null;
    return this.task.request(null);
  }

  private async compare(
    beside: OpenedModel,
    signal: AbortSignal,
    onProgress: (fraction: number) => void,
  ): Promise<MadeComparison> {
    const { wanted, against } = this;
    const others: OpenedModel[] = [];
    for (const one of wanted) others.push(await this.opened(one, beside, signal));
    const loading = loadMeasured();
    const comparison = await beside.checkpoint.compareWith(
      others.map(({ checkpoint }) => checkpoint),
      { against, signal, onProgress, names: [beside, ...others].map(({ name }) => name) },
    );
    return { ...comparison, views: await loading };
  }

  private async opened(wanted: Wanted, beside: OpenedModel, signal: AbortSignal): Promise<OpenedModel> {
    if (this.open?.beside !== beside) {
      this.closeAll();
      this.open = { beside, models: new Map() };
    }
    const { models } = this.open;
    const there = models.get(wanted);
    if (there !== undefined) return there;
    const unheard = (): void => undefined;
    const listening = { signal, onBytes: unheard, onShare: unheard, onModel: unheard };
    const made = await this.figure.ask((lab) => openModel(lab, wanted, listening, this.figure.texts().pageModels));
    models.set(wanted, made);
    return made;
  }

  private closeAll(): void {
    for (const model of this.open?.models.values() ?? []) model.dispose();
    this.open = null;
  }
}
