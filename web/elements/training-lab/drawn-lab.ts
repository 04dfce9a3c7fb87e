import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber, formatWhole, type Cell } from '../../charts/index.js';
import { builtInTexts } from '../../texts/index.js';
import { resolveColors, watchColorScheme } from '../shared/colors.js';
import type { FigureParts } from '../shared/figure.js';
import { finishedArms, finishedSnapshot, finishedValues, knowsTokens } from './finished-run.js';
import { LabState } from './lab-state.js';
import type { LabSettings } from './settings.js';
import { otherSources, type OtherSource } from './settings-element.js';
import type { Pair } from './token-choice.js';
import { trainingLabStyles } from './training-lab.styles.js';
import { curves } from './views/curves.js';
import { maps, type MapColors } from './views/maps.js';
import { mapsLayout, tokenNames, type MapsLayout } from './views/painting.js';
import { pairProbe } from './views/pair.js';
import { pairInText, plain, preparing, rendered, standing, type Words } from './views/read-out.js';
import { settingsPanel } from './views/settings-panel.js';
import { tables } from './views/tables.js';
import { ownText, textRow } from './views/text-panel.js';
import { stepsPerSecond, transport } from './views/transport.js';

export type Changes = Partial<LabSettings & { textSource: string; storyLength: number; states: number }>;

/** The part of the training lab that is seen: what the controller knows, drawn by the views. */
export abstract class DrawnLab extends LabState {
  static override styles: CSSResultGroup = [LabState.styles, trainingLabStyles];

  private colors: MapColors | null = null;
  private mapsLayout: MapsLayout | null = null;
  private stopWatching: (() => void) | null = null;

  // ------------------------------------------------------------ for the element to fill in

  /** True while a file hovers over the figure. */
  protected abstract get dropping(): boolean;
  /** False before anything was asked of the controller. */
  protected abstract get asked(): boolean;
  protected abstract play(): Promise<void>;
  protected abstract step(): void;
  protected abstract goTo(): void;
  protected abstract rewind(): void;
  /** The reader changed what a run depends on. */
  protected abstract change(changes: Changes): void;
  protected abstract chooseSource(source: string): void;
  protected abstract usePasted(): void;
  protected abstract useFiles(files: readonly File[]): Promise<void>;

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopWatching = watchColorScheme(this, () => {
      this.colors = null;
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWatching?.();
  }

  protected override updated(): void {
    const grid = this.renderRoot.querySelector<HTMLElement>('.maps');
    if (grid === null) return;
    const widths = this.mapsLayout?.widths ?? null;
    grid.style.gridTemplateColumns = widths === null ? '' : widths.map((width) => `${String(width)}px`).join(' ');
    // The names over the maps begin where the cells do.
    const [first = 0, second = first] = widths ?? [];
    grid.style.setProperty('--row-names', `${String(first - second)}px`);
  }

  // ------------------------------------------------------------ drawing

  protected parts(): FigureParts {
    const { texts, controller } = this;
    const words = this.readOut();
    return {
      title: texts.title,
      controls: html`${this.renderTransport()}${this.renderText()}`,
      drawing: html`
        <div class="lab">
          ${this.renderFacts()} ${this.renderDrawings()}
          ${this.dropping ? html`<div class="drop" aria-hidden="true">${texts.dropHere}</div>` : nothing}
        </div>
      `,
      readOut: rendered(words),
      // Numbers that run are for eyes; ears get the state when it stands still.
      announcement: controller.phase === 'running' ? texts.training : plain(words),
      caption: texts.caption,
      data: () => this.renderTables(),
    };
  }

  private renderTransport(): TemplateResult {
    const { controller } = this;
    return transport({
      texts: this.texts,
      phase: controller.phase,
      step: controller.step,
      plannedSteps: this.steps,
      runToStep: this.runTo,
      speed: this.speed,
      onPlay: () => void this.play(),
      onPause: () => {
        controller.pause();
      },
      onStep: () => {
        this.step();
      },
      onRunTo: () => {
        this.goTo();
      },
      onRunToStep: (step) => {
        this.runTo = step;
      },
      onRewind: () => {
        this.rewind();
      },
      onSpeed: (speed) => {
        this.speed = speed;
        void controller.changeSpeed(stepsPerSecond[speed]);
      },
      onCancel: () => {
        controller.cancel();
      },
    });
  }

  private renderText(): TemplateResult {
    const { texts } = this;
    return html`
      ${textRow({
        texts,
        sources: [
          ...builtInTexts.map(({ id, title }) => ({ value: id, label: title })),
          ...otherSources.map((kind) => ({ value: kind, label: texts.sources[kind] })),
        ],
        source: this.ownOpen ? 'own' : this.textSource,
        tokenizer: this.tokenizer,
        canTokenize: this.textSource !== 'markov-chain',
        settingsOpen: this.settingsOpen,
        onSource: (source) => {
          this.chooseSource(source);
        },
        onTokenizer: (tokenizer) => {
          const vocabSize = tokenizer === 'bpe' ? Math.max(this.vocabSize, 512) : this.vocabSize;
          this.change({ tokenizer, vocabSize });
        },
        onSettings: () => {
          this.settingsOpen = !this.settingsOpen;
        },
      })}
      ${this.ownOpen ? this.renderOwnText() : nothing} ${this.settingsOpen ? this.renderSettings() : nothing}
    `;
  }

  private renderOwnText(): TemplateResult {
    return ownText({
      texts: this.texts,
      draft: this.draft,
      problem: this.textProblem,
      onDraft: (draft) => {
        this.draft = draft;
      },
      onUse: () => {
        this.usePasted();
      },
      onFiles: (files) => void this.useFiles(files),
    });
  }

  private renderSettings(): TemplateResult {
    return settingsPanel({
      texts: this.texts,
      settings: this.runSettings(),
      sourceKind: this.wantedSource()?.kind ?? 'own',
      storyLength: this.storyLength,
      markovStates: this.states,
      onChange: (changes) => {
        this.change(changes);
      },
    });
  }

  private renderFacts(): TemplateResult {
    const { texts, controller } = this;
    const { text } = controller;
    const run = this.finishedRun();
    const marked =
      run === null
        ? nothing
        : html`<strong class="computed">${texts.computed(formatWhole(run.settings.steps))}</strong>`;
    if (text === null) return html`<p class="note facts">${marked}</p>`;
    const facts = texts.textFacts({
      name: text.name ?? texts.sources[this.textSource as OtherSource],
      characters: text.characters === null ? null : formatWhole(text.characters),
      tokens: formatWhole(text.tokenIds.length),
      vocabulary: formatWhole(text.vocabSize),
    });
    const nats = (value: number): string => formatNumber(value, { decimals: 3 });
    const chain = text.chainBounds;
    return html`
      <p class="note facts">
        ${facts} ${chain === null ? nothing : texts.chainFloor(nats(chain.bigram), nats(text.bounds.bigram))}
        ${this.restarted ? html`<strong>${texts.restarted}</strong>` : nothing} ${marked}
      </p>
    `;
  }

  private renderDrawings(): TemplateResult {
    const looked = this.lookedAt();
    // Before the text is read there may be something to see already: a run that was finished before.
    if (this.controller.text === null || looked === null) {
      return html`<div class="placeholder">
        <div class="top">${this.renderCurves()}</div>
      </div>`;
    }
    return html`
      <div class="top">
        ${this.renderCurves()}
        <div class="probe">${this.renderPair(looked.pair)}</div>
      </div>
      ${this.renderMaps(looked.cell)}
    `;
  }

  private renderCurves(): TemplateResult | typeof nothing {
    const { texts, controller } = this;
    const { text, viewed } = controller;
    const run = this.finishedRun();
    const bounds = run?.bounds ?? text?.bounds;
    if (bounds === undefined) return nothing;
    return html`
      <div
        class="curves ${run === null ? '' : 'is-finished'}"
        tabindex="0"
        role="group"
        aria-label=${texts.curves}
        aria-describedby="keys"
      >
        ${curves({
          texts,
          height: this.curvesWidth.width < 480 ? 280 : 360,
          arms: run === null ? controller.arms : finishedArms(run),
          bounds,
          finishedSteps: run?.settings.steps ?? null,
          batches: this.batchSize !== 'whole-table',
          logarithmic: this.logarithmic,
          plannedSteps: this.steps,
          step: controller.step,
          stops: controller.stops.map(({ step }) => step),
          viewedStep: viewed?.step ?? 0,
          viewsNewest: controller.viewsNewest,
          onLogarithmic: (logarithmic) => {
            this.logarithmic = logarithmic;
          },
          onView: (step) => {
            controller.view(step);
          },
        })}
        <p id="keys" class="note keys">${texts.keys}</p>
      </div>
    `;
  }

  private renderMaps(cell: Cell | null): TemplateResult | typeof nothing {
    const { texts, controller } = this;
    const { text } = controller;
    if (text === null) return nothing;
    this.colors ??= resolveColors(this, ['paper', 'positive', 'negative']);
    const positions = this.positions();
    const names = tokenNames(text, positions);
    const run = this.finishedRun();
    const showsRun = run !== null && this.quantity === 'probabilities' && knowsTokens(run, text, positions);
    this.mapsLayout = mapsLayout(this.width.width, controller.arms.length + 1, names);
    const drawn = maps({
      texts,
      text,
      arms: controller.arms.map(({ tying }) => tying),
      snapshot: showsRun ? finishedSnapshot(run, text) : controller.viewed,
      quantity: this.quantity,
      shown: this.shownTokens(),
      order: this.order,
      layout: this.mapsLayout,
      cell,
      colors: this.colors,
      onQuantity: (quantity) => {
        this.quantity = quantity;
      },
      onShown: (shown) => {
        this.shown = shown;
      },
      onOrder: (order) => {
        this.order = order;
      },
      onCell: this.onCell,
    });
    return html`${drawn}${run === null || showsRun ? nothing : this.renderNotKept()}`;
  }

  private renderPair(pair: Pair): TemplateResult {
    const { texts, controller } = this;
    const run = this.finishedRun();
    const tokens = controller.text?.tokens ?? [];
    const finished = run === null ? null : finishedValues(run, tokens, pair);
    const drawn = pairProbe({
      texts,
      width: this.pairWidth.width,
      tokens,
      pair,
      inText: controller.inText(pair),
      arms: controller.arms.map(({ tying }) => tying),
      values: finished ?? controller.valuesOf(pair),
      paler: finished !== null,
      problem: this.pairProblem,
      offering: this.offering,
      onOffer: () => {
        this.offering = true;
      },
      onPick: (role, token) => {
        this.pickToken(role, token);
      },
      onSwap: () => {
        this.choosePair({ from: pair.to, to: pair.from });
      },
    });
    return html`${drawn}${run === null || finished !== null ? nothing : this.renderNotKept()}`;
  }

  /** Where the reader asks for what the finished run does not hold, the models show themselves as they are. */
  private renderNotKept(): TemplateResult {
    return html`<p class="note">${this.texts.notKept}</p>`;
  }

  private readOut(): Words[] {
    const { texts, controller } = this;
    const { phase, stage, text, viewed, pair } = controller;
    if (phase === 'preparing') return preparing(texts, stage ?? 'loading');
    if (phase === 'idle') return [{ text: this.asked ? texts.cancelled : texts.waiting }];
    if (text === null || viewed === null) return [];
    const run = this.finishedRun();
    if (phase === 'ready' && run !== null) {
      const { bounds, settings } = run;
      const { steps, dModel } = settings;
      const end = {
        step: steps,
        viewedStep: steps,
        viewsNewest: true,
        finished: false,
        batches: settings.batchSize !== 'whole-table',
      };
      const words = standing({ texts, arms: finishedArms(run), bounds, dModel, vocabSize: text.vocabSize, ...end });
      return [{ text: `${texts.computedBefore} ` }, ...words, { text: ` ${texts.drawOver}` }];
    }
    if (phase === 'ready' && pair !== null) {
      const [from = '', to = ''] = [text.tokens[pair.from], text.tokens[pair.to]];
      return pairInText(texts, from, to, controller.inText(pair));
    }
    const words = standing({
      texts,
      arms: controller.arms,
      bounds: text.bounds,
      step: controller.step,
      viewedStep: viewed.step,
      viewsNewest: controller.viewsNewest,
      finished: phase === 'finished',
      dModel: this.dModel,
      vocabSize: text.vocabSize,
      batches: this.batchSize !== 'whole-table',
    });
    return controller.suspended ? [...words, { text: ` ${texts.outOfSight}` }] : words;
  }

  private renderTables(): TemplateResult {
    const { controller, texts } = this;
    const { text, viewed, pair, phase, stops, viewsNewest } = controller;
    const run = this.finishedRun();
    // Thousands of cells: made anew when a run stands still, and each says of which step it is.
    const moment = phase === 'running' ? [] : [stops.length, pair, viewsNewest, viewed];
    const state = [text, phase, run, this.shownTokens(), this.order, ...moment];
    return html`${guard(state, () =>
      text === null
        ? nothing
        : tables({
            texts,
            text,
            arms: controller.arms,
            stops,
            viewed,
            pair,
            pairInText: pair === null ? null : controller.inText(pair),
            pairValues: pair === null ? null : controller.valuesOf(pair),
            positions: this.positions(),
            finished: run === null ? null : finishedArms(run),
          }),
    )}`;
  }
}
