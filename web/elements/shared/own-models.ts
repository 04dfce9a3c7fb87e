/** The models that the reader has trained on this page and handed to its other figures. Only the newest are stored. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

export interface OwnModels {
  /** A file of a tied and an untied model, with their tokenizer and a part of their text. */
  readonly bytes: Uint8Array;
  /** Steps that they were trained for. */
  readonly step: number;
  /** The name of the text. */
  readonly text: string;
}

/** The figures that measure these models, or the text that they were trained on. */
const takers = ['alignment', 'bigrams', 'direct-path', 'gradient-ledger', 'hidden-states', 'lens']
  .map((name) => `tied-${name}`)
  .join(',');

let newest: OwnModels | null = null;
const watching = new Set<() => void>();

export const newestModels = (): OwnModels | null => newest;

/** Replaces the models and notifies the figures. */
export function handOver(models: OwnModels | null): void {
  newest = models;
  for (const changed of watching) changed();
}

/** Whether the element's page has a figure that measures them, whether registered yet or not. */
export const hasTakers = (element: Element): boolean =>
  [document, element.getRootNode() as Document | ShadowRoot].some((root) => root.querySelector(takers) !== null);

/** Redraws its element when models are handed over. */
export class OwnModelsWatcher implements ReactiveController {
  readonly #changed: () => void;

  constructor(host: ReactiveControllerHost) {
    this.#changed = () => host.requestUpdate();
    host.addController(this);
  }

  hostConnected(): void {
    watching.add(this.#changed);
  }

  hostDisconnected(): void {
    watching.delete(this.#changed);
  }
}
