/** Stores a long run in the browser while it trains, and offers to go on with it after its page was closed. */
import { html, nothing, type TemplateResult } from 'lit';
import { formatWhole } from '../../../charts/index.js';
import type { LabComparison } from '../../../core/types.js';
import { button } from '../../shared/controls.js';
import { codeOf } from '../../shared/error-code.js';
import type { RunSettings } from '../running.js';
import type { TextSource } from '../text-source.js';
import type { SampleBook } from '../transformer/samples.js';
import { keptStrings, type KeptStrings } from './kept.strings.js';
import { partsOf, resumedOf, shownOf, type KeptArm, type Resumed } from './moment.js';
import { checksum, type RunFacts } from './run-file.js';
import { RunStore, StorageError, type StoredRun } from './run-store.js';

/** What is stored: models that do not train at the moment, and what is drawn of them. */
export interface Moment {
  readonly comparison: LabComparison;
  readonly arms: readonly object[];
  readonly settings: RunSettings;
  readonly source: TextSource;
  readonly samples: SampleBook;
}

/** What the lab does for it. */
export interface KeepingLab {
  readonly model: string;
  readonly texts: { readonly kept: Partial<KeptStrings> };
  requestUpdate(): void;
  say(notice: string): void;
  /** Sets the lab to these settings, and continues there. Rejects if the models cannot be opened. */
  resumeRun(settings: RunSettings, source: TextSource, resumed: Resumed): Promise<void>;
}

/** A run, as far as hiding its page concerns it. */
export interface Hideable {
  readonly suspended: boolean;
  /** At the run's average pace; null if it has ended or has no end. */
  readonly secondsLeft: number | null;
  readonly step: number;
}

/** A hidden run that has done less than this share of what it would have done in that time has rested. */
const restsBelow = 1 / 4;
/** Shorter absences, in seconds, need no word. */
const shortAbsence = 10;

type Notice = 'none' | 'full' | 'broken' | 'opening' | null;

export class Keeping {
  readonly #lab: KeepingLab;
  readonly #open: () => Promise<RunStore>;
  #store: RunStore | null = null;
  /** A run of an earlier visit. */
  #offered: StoredRun | null = null;
  /** What is stored of the run that trains here. */
  #kept: Pick<RunFacts, 'id' | 'step'> | null = null;
  #notice: Notice = null;
  /** When the page was hidden; null while it is visible. */
  #hidden: { readonly at: number; readonly secondsLeft: number | null } | null = null;

  constructor(lab: KeepingLab, open: () => Promise<RunStore> = () => RunStore.open()) {
    this.#lab = lab;
    this.#open = open;
  }

  get #texts(): KeptStrings {
    return { ...keptStrings, ...this.#lab.texts.kept };
  }

  /** Looks for a run of an earlier visit to this page. */
  async find(): Promise<void> {
    try {
      this.#store ??= await this.#open();
      const runs = await this.#store.list();
      const { model } = this.#lab;
      this.#offered = runs.find(({ facts }) => facts.page === location.pathname && facts.model === model) ?? null;
      this.#lab.requestUpdate();
    } catch {
      // Without storage there is nothing to offer; a run that cannot be stored will say so.
    }
  }

  /** Stores a moment of a run; what goes wrong is shown, and the run continues. */
  async keep({ comparison, arms, settings, source, samples }: Moment): Promise<void> {
    const { model } = this.#lab;
    const { step } = comparison;
    const page = location.pathname;
    const id = checksum(new TextEncoder().encode(JSON.stringify([page, model, settings, source]))).toString(16);
    const kept = arms as readonly KeptArm[];
    try {
      this.#store ??= await this.#open();
      const facts = { id, page, model, settings, source, step, time: Date.now(), shown: shownOf(kept, samples) };
      await this.#store.keep(facts, this.#bytesOf(kept), () => partsOf(comparison, kept));
      this.#kept = { id, step };
      this.#notice = null;
      if (this.#offered?.facts.id === id) this.#offered = null;
    } catch (error) {
      // Anything else is the models' failure, which the run reports itself.
      if (error instanceof StorageError) this.#notice = error.kind;
    }
    this.#lab.requestUpdate();
  }

  /** About three times the weights, in floats of four bytes. */
  #bytesOf(arms: readonly KeptArm[]): number {
    return arms.reduce((sum, { parameters }) => sum + 4 * 4 * parameters, 0);
  }

  async #goOn({ facts, ...run }: StoredRun): Promise<void> {
    this.#notice = 'opening';
    this.#lab.requestUpdate();
    try {
      const store = this.#store!;
      const read = (part: string) => store.read({ facts, ...run }, part);
      const resumed = await resumedOf(facts.settings.arms, facts.shown, read);
      await this.#lab.resumeRun(facts.settings, facts.source, resumed);
      this.#kept = facts;
      this.#notice = null;
    } catch (error) {
      // The page was left, or its worker stopped: the run stays as it is stored.
      if (codeOf(error) === 'cancelled' || codeOf(error) === 'stopped' || codeOf(error) === 'out-of-memory') {
        this.#notice = null;
        return;
      }
      await this.#store?.forget(facts.id);
      this.#notice = 'broken';
    }
    this.#offered = null;
    this.#lab.requestUpdate();
  }

  async #forget(id: string): Promise<void> {
    await this.#store?.forget(id);
    if (this.#kept?.id === id) this.#kept = null;
    if (this.#offered?.facts.id === id) this.#offered = null;
    this.#lab.requestUpdate();
  }

  /** The page was hidden while this run trained. */
  hidden({ secondsLeft }: Hideable): void {
    this.#hidden = { at: Date.now(), secondsLeft };
  }

  /** The page is visible again: says so if the run has rested, of its own or because the browser froze the page. */
  shown({ suspended, secondsLeft, step }: Hideable): void {
    const hidden = this.#hidden;
    this.#hidden = null;
    if (hidden === null) return;
    const absent = (Date.now() - hidden.at) / 1000;
    const trained = (hidden.secondsLeft ?? 0) - (secondsLeft ?? Number.NEGATIVE_INFINITY);
    const slow = absent > shortAbsence && trained < absent * restsBelow;
    if (suspended || slow) this.#lab.say(this.#texts.rested(formatWhole(step)));
  }

  render(): TemplateResult | typeof nothing {
    const texts = this.#texts;
    const [notice, kept, offered] = [this.#notice, this.#kept, this.#offered];
    if (notice === 'opening') return html`<span>${texts.opening}</span>`;
    if (notice !== null) {
      const said = notice === 'full' ? texts.full(kept && formatWhole(kept.step)) : texts[notice];
      return html`<strong class="kept">${said}</strong>`;
    }
    if (kept !== null) {
      return html`<span class="kept"
        >${texts.kept(formatWhole(kept.step))}
        ${button({ label: texts.forgetRun, kind: 'quiet', onPress: () => void this.#forget(kept.id) })}</span
      >`;
    }
    if (offered === null) return nothing;
    const { id, time, step, settings } = offered.facts;
    const date = new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
    return html`<span class="kept"
      >${texts.offer(date, formatWhole(step), formatWhole(settings.steps))}
      ${button({ label: texts.goOn, onPress: () => void this.#goOn(offered) })}
      ${button({ label: texts.forget, kind: 'quiet', onPress: () => void this.#forget(id) })}</span
    >`;
  }
}
