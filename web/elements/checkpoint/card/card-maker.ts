import type { IdentityCardOptions } from '../../../core/types.js';
import { Task } from '../../shared/task.js';
import type { Host } from '../../shared/when-gone.js';
import { loadMeasured, type Measured } from '../load-measured.js';
import type { OpenedModel } from '../opening.js';
import type { Card } from './card.js';

/** Calls `act` with the open model, and again with a new one if the first one's lab has died. Null: none is open. */
export type UseOpened = <Answer>(act: (opened: OpenedModel) => Promise<Answer>) => Promise<Answer | null>;

/** A card with the module that draws it. */
export interface MadeCard extends Card {
  readonly views: Measured;
}

/** What the reader asks for in a card. */
export interface AskedCard {
  readonly text: string;
  readonly named: Uint32Array;
}

/** Makes the identity card of the open model. */
export class CardMaker {
  card: MadeCard | null = null;
  /** The fraction of rows that have been read; null at rest. */
  share: number | null = null;
  cancelled = false;
  private readonly task: Task<{ use: UseOpened; asked: AskedCard }, MadeCard | null>;

  constructor(
    private readonly host: Host,
    options: { readonly failed: (error: unknown) => void; readonly done: (card: MadeCard) => void },
  ) {
    this.task = new Task(host, {
      order: 'replace',
      run: ({ use, asked }, signal) => use((opened) => this.make(opened, asked, signal)),
      done: (card) => {
        this.share = null;
        this.card = card;
        if (card !== null) options.done(card);
      },
      failed: (error) => {
        this.share = null;
        options.failed(error);
      },
    });
  }

  get pending(): boolean {
    return this.task.pending;
  }

  measure(use: UseOpened, asked: AskedCard): Promise<void> {
    this.cancelled = false;
    this.share = 0;
    return this.task.request({ use, asked });
  }

  cancel(): void {
    this.cancelled = this.pending;
    this.task.cancel();
    this.share = null;
    this.host.requestUpdate();
  }

  clear(): void {
    this.cancel();
    this.cancelled = false;
    this.card = null;
  }

  private async make(opened: OpenedModel, { text, named }: AskedCard, signal: AbortSignal): Promise<MadeCard> {
    const { checkpoint } = opened;
    const { split, ...read } = await textOf(opened, text);
    const onProgress = (share: number): void => {
      if (signal.aborted) return;
      this.share = share;
      this.host.requestUpdate();
    };
    const loading = loadMeasured();
    const card = await checkpoint.identityCard({ ...read, tokens: named, signal, onProgress });
    return { split, named: new Set(named), ...card, views: await loading };
  }
}

/** Splits the text with the model's own tokenizer if the model runs here, otherwise by its token strings. */
async function textOf(
  { checkpoint, running }: OpenedModel,
  text: string,
): Promise<Pick<IdentityCardOptions, 'text'> & Pick<MadeCard, 'split'>> {
  const { input, output } = checkpoint.tables;
  if (text.trim() === '' || input === null || output === null) return { split: null };
  const tokenizer = running?.canWrite === true ? await running.trainer.tokenizer() : null;
  if (tokenizer === null) return checkpoint.tokens === null ? { split: null } : { text, split: 'longest-match' };
  try {
    return { text: await tokenizer.encode(text), split: 'tokenizer' };
  } finally {
    tokenizer.dispose();
  }
}
