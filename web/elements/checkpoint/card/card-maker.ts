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
  /** Reports the fraction of rows that have been read. */
  readonly task: Task<{ use: UseOpened; asked: AskedCard }, MadeCard | null>;

  constructor(
    host: Host,
    options: { readonly failed: (error: unknown) => void; readonly done: (card: MadeCard) => void },
  ) {
    this.task = new Task(host, {
      order: 'replace',
      run: ({ use, asked }, ...listening) => use((opened) => this.make(opened, asked, ...listening)),
      done: (card) => {
        this.card = card;
        if (card !== null) options.done(card);
      },
      failed: options.failed,
    });
  }

  measure(use: UseOpened, asked: AskedCard): Promise<void> {
    return this.task.request({ use, asked });
  }

  clear(): void {
    this.task.cancel();
    this.card = null;
  }

  private async make(
    opened: OpenedModel,
    { text, named }: AskedCard,
    signal: AbortSignal,
    onProgress: (fraction: number) => void,
  ): Promise<MadeCard> {
    const { checkpoint } = opened;
    const { split, unknownWords, ...read } = await textOf(opened, text);
    const loading = loadMeasured();
    const card = await checkpoint.identityCard({ ...read, tokens: named, signal, onProgress });
    return { split, unknownWords, named: new Set(named), ...card, views: await loading };
  }
}

/** Splits the text with the model's own tokenizer if the model runs here, otherwise by its token strings. */
async function textOf(
  { checkpoint, running }: OpenedModel,
  text: string,
): Promise<Pick<IdentityCardOptions, 'text'> & Pick<MadeCard, 'split' | 'unknownWords'>> {
  const { input, output } = checkpoint.tables;
  if (text.trim() === '' || input === null || output === null) return { split: null, unknownWords: 0 };
  const tokenizer = running?.canWrite === true ? await running.trainer.tokenizer() : null;
  if (tokenizer === null)
    return { ...(checkpoint.tokens === null ? { split: null } : { text, split: 'longest-match' }), unknownWords: 0 };
  try {
    const ids = await tokenizer.encode(text);
    const unknown = tokenizer.kind === 'word' ? tokenizer.tokens.indexOf('<unk>') : -1;
    return { text: ids, split: 'tokenizer', unknownWords: ids.filter((id) => id === unknown).length };
  } finally {
    tokenizer.dispose();
  }
}
