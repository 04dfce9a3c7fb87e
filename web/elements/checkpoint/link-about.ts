import { formatWhole } from '../../charts/number-format.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import { givenOf, isSame, readGiven, writeGiven, type Given } from './given.js';
import type { OpenedModel, Wanted } from './opening.js';
import { nameOf } from './refusal.js';

/** The figure's settings that say what a link is about. */
interface AboutFigure {
  given: string;
  beside: string;
}

type Opened = Pick<OpenedModel, 'name' | 'wanted'>;

/** What a link's view is of: a model, and those beside it. */
export class LinkAbout {
  constructor(private readonly figure: AboutFigure) {}

  /** The model that the link is about; null if it is about none. */
  get model(): Given | null {
    return (readGiven(this.figure.given) ?? [])[0] ?? null;
  }

  /** Whether the link is about this model, or about none. */
  isOf(opened: Opened): boolean {
    const [model, given] = [this.model, givenOf(opened)];
    return model === null || (given !== null && isSame(model, given));
  }

  /** What the figure waits for, in words. */
  inWords(texts: CheckpointStrings): string | null {
    const { model } = this;
    if (model === null) return null;
    return model.kind === 'url' ? texts.awaitsUrl(model.url) : texts.awaitsFile(model.name, formatWhole(model.bytes));
  }

  /** A model is open: from now on the link is about it. Says how it is another file than the link's. */
  opened(opened: Opened, texts: CheckpointStrings): string | null {
    const { model } = this;
    const given = givenOf(opened);
    if (!this.isOf(opened)) this.figure.beside = '';
    this.figure.given = given === null ? '' : writeGiven([given]);
    if (model?.kind !== 'file' || given?.kind !== 'file' || isSame(model, given)) return null;
    return texts.otherFile(given.name, formatWhole(given.bytes), model.name, formatWhole(model.bytes));
  }

  /** What the link compares it with: URLs, and the file that has to be given again, in words. */
  compared(texts: CheckpointStrings): { readonly urls: readonly string[]; readonly awaits: string | null } {
    const beside = readGiven(this.figure.beside) ?? [];
    const file = beside.find((one) => one.kind === 'file');
    return {
      urls: beside.flatMap((one) => (one.kind === 'url' ? [one.url] : [])),
      awaits: file?.kind === 'file' ? texts.awaitsBeside(file.name, formatWhole(file.bytes)) : null,
    };
  }

  /** What a link to the current state says of it. */
  settings(opened: Opened | null, others: readonly Wanted[], texts: CheckpointStrings): Record<string, string> {
    const model = opened === null ? this.model : givenOf(opened);
    const beside = others.flatMap((wanted) => givenOf({ name: nameOf(wanted, texts), wanted }) ?? []);
    return {
      ...(model === null ? {} : { given: writeGiven([model]) }),
      ...(beside.length === 0 ? {} : { beside: writeGiven(beside) }),
    };
  }
}
