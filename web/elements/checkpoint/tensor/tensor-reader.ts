import type { CheckpointTensor, TensorRange, TensorReport } from '../../../core/types.js';
import type { Cell } from '../../../charts/heat-map.js';
import { Task } from '../../shared/task.js';
import type { Host } from '../../shared/when-gone.js';
import type { UseOpened } from '../card/card-maker.js';
import { loadMeasured, type Measured } from '../load-measured.js';
import type { OpenedModel } from '../opening.js';
import type { AskedWindow, ReadWindow } from './read-window.js';

/** The largest drawing; more rows than columns could be would make a square, whose mirror cells mean nothing here. */
export const mostCells = { rows: 48, cols: 64 } as const;

/** What a tensor of a file is read without being asked, in bytes. From a URL that is a download. */
const unasked = { files: 2 ** 26, url: 2 ** 22 } as const;

/** A tensor as a matrix, as `tensorReport` reads it. */
export function matrixShape({ shape }: Pick<CheckpointTensor, 'shape'>): {
  readonly rows: number;
  readonly cols: number;
} {
  const cols = shape.at(-1) ?? 1;
  const all = shape.reduce((product, size) => product * size, 1);
  return { rows: cols === 0 ? 0 : all / cols, cols };
}

/** A range of rows or columns that begins at `from`, or as late as the tensor allows. */
export function rangeFrom(from: number, all: number, most: number): TensorRange {
  const first = Math.max(0, Math.min(from, all - most));
  return { from: first, to: Math.min(all, first + most) };
}

/** Reads one tensor of the open model: its statistics, and a window of its elements. */
export class TensorReader {
  report: TensorReport | null = null;
  window: ReadWindow | null = null;
  /** The last cell that the reader has pointed at, and whether it still is. */
  cell: Cell | null = null;
  isPointing = false;
  views: Measured | null = null;
  /** Reports the fraction of the tensor that has been read. */
  readonly reading: Task<{ use: UseOpened; name: string }, TensorReport | null>;
  readonly looking: Task<{ use: UseOpened; asked: AskedWindow }, ReadWindow | null>;

  constructor(
    private readonly host: Host,
    options: { readonly failed: (error: unknown) => void; readonly done: (report: TensorReport) => void },
  ) {
    const blocks = mostCells;
    this.reading = new Task(host, {
      order: 'replace',
      same: (one, other) => one.name === other.name,
      run: ({ use, name }, signal, onProgress) =>
        use(async ({ checkpoint }) => {
          const loading = loadMeasured();
          const report = await checkpoint.tensorReport(name, { blocks, signal, onProgress });
          this.views = await loading;
          return report;
        }),
      done: (report) => {
        this.report = report;
        this.cell = null;
        if (report !== null) options.done(report);
      },
      failed: options.failed,
    });
    this.looking = new Task(host, {
      order: 'newest',
      // Of the same tensor.
      same: (one, other) => JSON.stringify(one.asked) === JSON.stringify(other.asked),
      run: ({ use, asked }, signal) =>
        use(async ({ checkpoint }) => {
          const loading = loadMeasured();
          const { name, rows, cols } = asked;
          const matrix = await checkpoint.tensorWindow(name, { rows, cols, signal });
          this.views = await loading;
          return { ...asked, matrix };
        }),
      done: (window) => {
        this.window = window;
      },
      failed: options.failed,
    });
  }

  /** Forgets what belongs to another tensor or another model. */
  clear(): void {
    this.reading.cancel();
    this.looking.cancel();
    this.report = this.window = this.cell = null;
    this.host.requestUpdate();
  }

  /** Whether a tensor is read as soon as it is chosen. */
  readsUnasked({ bytes }: CheckpointTensor, { wanted: { place } }: OpenedModel): boolean {
    return bytes <= (place.kind === 'url' ? unasked.url : unasked.files);
  }

  point(cell: Cell | null): void {
    this.isPointing = cell !== null;
    if (cell !== null) this.cell = cell;
    this.host.requestUpdate();
  }
}
