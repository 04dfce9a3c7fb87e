import { nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../../charts/number-format.js';
import type { CheckpointTensor } from '../../../core/types.js';
import type { Content } from '../../shared/figure.js';
import type { CommonStrings } from '../../shared/strings.js';
import type { Host } from '../../shared/when-gone.js';
import { WidthWatcher } from '../../shared/width-watcher.js';
import type { UseOpened } from '../card/card-maker.js';
import type { CheckpointStrings } from '../checkpoint.strings.js';
import type { OpenedModel } from '../opening.js';
import type { TensorMeasure } from './tensor-findings.js';
import { isWindow } from './read-window.js';
import { matrixShape, mostCells, rangeFrom, TensorReader } from './tensor-reader.js';
import { tensorView } from './tensor-view.js';

/** The figure with its settings for this part. */
type TensorFigure = Host &
  ConstructorParameters<typeof WidthWatcher>[0] & {
    tensor: string;
    tensorView: 'blocks' | 'window';
    tensorMeasure: TensorMeasure;
    fromRow: number;
    fromCol: number;
  };

interface TensorHost {
  readonly use: UseOpened;
  readonly texts: () => CheckpointStrings & CommonStrings;
  readonly panel: () => Content;
  readonly announce: (words: string) => void;
  /** An error, or null once the reader asks for something else. */
  readonly show: (error: unknown) => void;
}

/** The part of the figure that shows any tensor of the open model. */
export class TensorPart {
  readonly reader: TensorReader;
  private readonly width: WidthWatcher;
  /** What the reader has typed to find one. */
  private search = '';

  constructor(
    private readonly figure: TensorFigure,
    private readonly host: TensorHost,
  ) {
    this.reader = new TensorReader(figure, {
      failed: (error) => host.show(error),
      done: ({ name, mean, standardDeviation }) =>
        host.announce(host.texts().tensorReady(name, formatNumber(mean), formatNumber(standardDeviation))),
    });
    this.width = new WidthWatcher(figure, '.tensor .drawings > div:last-child', 340);
  }

  /** Another model is open: keeps the chosen tensor if it has one of this name. */
  begin(tensors: readonly CheckpointTensor[]): void {
    this.reader.clear();
    this.search = '';
    if (!tensors.some(({ name }) => name === this.figure.tensor)) this.choose('');
  }

  private choose(name: string): void {
    this.reader.clear();
    Object.assign(this.figure, { tensor: name, fromRow: 0, fromCol: 0 });
  }

  render(opened: OpenedModel): TemplateResult | typeof nothing {
    const { figure, host, reader, search } = this;
    const { tensors, tables } = opened.checkpoint;
    const named = figure.tensor === '' ? (tables.input ?? tables.output)?.name : figure.tensor;
    const tensor = tensors.find(({ name }) => name === named) ?? tensors[0];
    if (tensor === undefined) return nothing;
    this.want(tensor, opened);
    return tensorView({
      ...{ texts: host.texts(), opened, reader, tensor, search, width: this.width.width },
      ...{ view: figure.tensorView, measure: figure.tensorMeasure, panel: host.panel() },
      onSearch: (typed) => {
        this.search = typed;
        figure.requestUpdate();
      },
      onChoose: (name) => {
        host.show(null);
        this.choose(name);
      },
      onRead: () => {
        host.show(null);
        void reader.reading.request({ use: host.use, name: tensor.name });
      },
      onWindow: (fromRow, fromCol) => void Object.assign(figure, { tensorView: 'window', fromRow, fromCol }),
    });
  }

  /** Reads what the view shows and does not have: a window at once, all of a tensor if that is quick. */
  private want(tensor: CheckpointTensor, opened: OpenedModel): void {
    const { figure, host, reader } = this;
    const { name } = tensor;
    const { rows, cols } = matrixShape(tensor);
    const asked = {
      name,
      rows: rangeFrom(figure.fromRow, rows, mostCells.rows),
      cols: rangeFrom(figure.fromCol, cols, mostCells.cols),
    };
    if (figure.tensorView === 'window' && !isWindow(reader.window, asked))
      reader.looking.want({ use: host.use, asked });
    if (reader.report === null && !reader.reading.stopped && reader.readsUnasked(tensor, opened))
      reader.reading.want({ use: host.use, name });
  }
}
