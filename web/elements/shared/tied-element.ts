import { html, LitElement, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { colorText } from '../../charts/color-scale.js';
import { VERSION } from '../../core/runtime/version.js';
import type { Lab } from '../../core/types.js';
import { Announcer } from './announcer.js';
import { copyToClipboard } from './clipboard.js';
import { resolveColors } from './colors.js';
import { controlStyles } from './controls.styles.js';
import { embedScriptUrl } from './embed-script.js';
import { codeOf } from './error-code.js';
import { figureFrame, type Code, type Content, type FigureParts, type FrameButton, type OpenPart } from './figure.js';
import { figureStyles } from './figure.styles.js';
import { FocusKeeper } from './focus-keeper.js';
import { keepInView } from './keep-in-view.js';
import { embedCode, encodeLinkState } from './link-state.js';
import { LinkWatcher } from './link-watcher.js';
import { saveFile } from './save-file.js';
import { LabLease } from './lab-lease.js';
import { ScreenWatcher } from './screen-watcher.js';
import type { Panel } from './settings/panel-parts.js';
import { renderPanel, type Slots } from './settings/panel.js';
import { readGivenValues, readHeadingLevel } from './settings/given-values.js';
import type { Settings, Texts, Values } from './settings/setting.js';
import {
  attributesOf,
  initialValues,
  linkedAttributes,
  refusalSentence,
  refusedValues,
  valuesOf,
  type Refused,
} from './settings/with-settings.js';
import { commonStrings, type CommonStrings } from './strings.js';
import { Task, type TaskOptions } from './task.js';
import { base, tokens } from './tokens.styles.js';
import { unfold } from './unfold.js';

type Work<Input, Output> = Pick<TaskOptions<Input, Output>, 'run'>;

/**
 * Base of every public element: the figure's frame, the page's lab when needed, error messages, replaceable texts,
 * state as attributes, link and embed code, and `tied-change` when the reader changes something.
 *
 * An element describes its content in `parts()` and computes nothing: numbers come from the lab.
 *
 * These tags become part of custom-elements.json. An element adds its own.
 *
 * @fires {CustomEvent} tied-change - The reader has changed something.
 * @slot - Shown in place of the figure where the browser cannot run it.
 * @csspart figure - The whole figure.
 * @csspart title - The title.
 * @csspart controls - The controls above the drawing.
 * @csspart drawing - The drawing.
 * @csspart read-out - What the drawing shows, in words.
 * @csspart caption - The caption.
 * @csspart footer - The line with the data table, the picture, the link and the embed code.
 */
export abstract class TiedElement<Strings extends object> extends LitElement {
  static override styles: CSSResultGroup = [tokens, base, controlStyles, figureStyles];

  /**
   * Attributes that a link may set: the reader's settings. Anyone can write a link, so attributes that lead elsewhere
   * or connect the figure (`for`, `calculator-link`, `link-state`) are reserved for the page's author.
   */
  static get linkSettings(): readonly string[] {
    return linkedAttributes(this.declared);
  }

  /**
   * The settings that `withSettings` has added. Each starts at its default, falls back to it with a message if its
   * value is invalid, and is part of links and embed code.
   */
  static readonly declared: Settings = {};

  /** A lab to use instead of the page's shared one. */
  @property({ attribute: false }) lab: Lab | null = null;
  /** Texts that replace the English ones; missing ones stay English. */
  @property({ attribute: false }) strings: Partial<Strings & CommonStrings> = {};
  /** Of the title, 2 to 6. Default 3. */
  @property({ type: Number, attribute: 'heading-level' }) headingLevel = 3;
  /** The figure's name in links; absent = no link is offered or read. */
  @property({ type: String, attribute: 'link-state' }) linkState: string | null = null;

  /** Shows all controls, the hint and the footer at once; otherwise the reader opens them with a button in the corner. */
  @property({ type: Boolean, attribute: 'options-open' }) optionsOpen = false;

  /** An error message shown in the figure, or null. */
  @state() protected problem: string | null = null;
  @state() private unsupported: string | null = null;
  @state() private open: OpenPart | null = null;
  @state() private note = '';
  #texts: { of: object; all: Strings & CommonStrings } | null = null;
  /** The last message about invalid settings; it goes once one of them is set again. */
  private refusal?: { of: readonly Refused[]; said: string } | null;

  protected readonly labs = new LabLease(this, () => this.lab);
  protected readonly announcer = new Announcer(this);
  protected readonly focusKeeper = new FocusKeeper(this);
  protected readonly screen = new ScreenWatcher(
    this,
    (visible) => this.visibilityChanged(visible),
    () => this.wake(),
  );
  /** What a measurement needs of its figure. */
  protected readonly ofFigure = {
    labs: this.labs,
    ready: (): boolean => this.screen.woken,
    texts: (): Strings & CommonStrings => this.texts,
    setProblem: (words: string | null): void => {
      this.problem = words;
    },
    fail: (error: unknown): void => this.fail(error),
  };
  private readonly links = new LinkWatcher(
    this,
    () => this.linkState,
    (found) => this.followLink(found),
  );
  /** The attributes in the page's HTML. */
  private authored: Readonly<Record<string, string>> = {};
  private noteTimer: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    super();
    Object.assign(this, initialValues(this.declared));
  }

  // ------------------------------------------------------------ for the element to fill in

  /** English texts of the element. */
  protected abstract readonly ownStrings: Strings;

  protected abstract parts(): FigureParts;

  /** Attributes that restore the current state, for links and embed code: those of the declared settings. */
  protected settings(): Record<string, string> {
    return attributesOf(this.declared, this.settingValues);
  }

  /** The state in a link; by default, the same as in embed code. */
  protected settingsOfLink(): Record<string, string> {
    return this.settings();
  }

  /**
   * Called when the element comes near the screen: loads what it needs. Called again when it returns to the page after
   * leaving, which ended its tasks and its lease.
   */
  protected wake(): void {}

  /** The element became visible or invisible; running work must stop while it is invisible. */
  protected visibilityChanged(_visible: boolean): void {}

  /** The reader has changed settings in the panel. Lit updates the figure afterwards. */
  protected changeSettings(changes: Values): void {
    // A drag ends with a value that it has already reported.
    if (Object.entries(changes).every(([name, value]) => (this as unknown as Values)[name] === value)) return;
    this.problem = null;
    Object.assign(this, changes);
  }

  /** Settings have changed, by the reader or from outside, and are valid now. */
  protected settingsChanged(_changed: PropertyValues): void {}

  /** The settings with invalid values. */
  protected refusals(values: Values): Refused[] {
    return refusedValues(this.declared, values);
  }

  /** Replaces an invalid value after the figure has named it. */
  protected replace({ name, used }: Refused): void {
    Object.assign(this, { [name]: used });
  }

  /** A command that repeats the linked state in a terminal; offered beside the link. */
  protected command(): (Code & { readonly label: string }) | null {
    return null;
  }

  /** A `replay` command. The quotes are safe in any shell, because the link encodes special characters. */
  protected replayCommand(hint: string, more = ''): Code & { readonly label: string } {
    return { label: this.texts.repeatInNode, hint, text: `npx tied-embeddings replay "${this.linkHash()}"${more}` };
  }

  /** Model cards to copy; measured when they are opened. */
  protected card(): (Code & { readonly label: string; readonly onOpen: () => void }) | null {
    return null;
  }

  /** Describes a saved picture beyond its title: the model, the text. */
  protected pictureNote(): string {
    return '';
  }

  // ------------------------------------------------------------ for the element to use

  protected get declared(): Settings {
    return (this.constructor as typeof TiedElement).declared;
  }

  /** The values of the settings. */
  protected get settingValues(): Values {
    return valuesOf(this.declared, this);
  }

  /** Called by every assignment, also where the value stays the same, because it has replaced the one that was refused. */
  override requestUpdate(...given: Parameters<LitElement['requestUpdate']>): void {
    const { refusal } = this;
    if (refusal?.of.some(({ name }) => name === given[0]) && this.problem === refusal.said) this.problem = null;
    super.requestUpdate(...given);
  }

  protected override shouldUpdate(changed: PropertyValues): boolean {
    readGivenValues(this, this.declared, (this.constructor as typeof TiedElement).elementProperties, changed);
    this.headingLevel = readHeadingLevel(this.headingLevel);
    return true;
  }

  protected override willUpdate(changed: PropertyValues): void {
    this.#texts = null;
    const { declared, settingValues: values } = this;
    const refused = this.refusals(values);
    if (refused.length > 0) {
      const texts = this.texts as object as Texts;
      this.problem = refused.map((one) => refusalSentence(declared, one, values, texts)).join(' ');
      const said = this.problem;
      this.refusal = null;
      for (const one of refused) this.replace(one);
      this.refusal = { of: refused, said };
    }
    if (Object.keys(declared).some((name) => changed.has(name))) this.settingsChanged(changed);
  }

  /** The current texts. */
  protected get texts(): Strings & CommonStrings {
    const { strings } = this;
    // A figure asks for its texts hundreds of times per rendering; copying them each time took longer than everything else.
    if (this.#texts?.of !== strings)
      this.#texts = { of: strings, all: { ...commonStrings, ...this.ownStrings, ...strings } };
    return this.#texts.all;
  }

  /** Asks the lab, or a new one if it has died. */
  protected askLab<Answer>(question: (lab: Lab) => Promise<Answer>): Promise<Answer> {
    return this.labs.ask(question);
  }

  /** The settings as controls. `more`: what their conditions and limits depend on besides the settings. */
  protected panel(panel: Panel, slots?: Slots, more?: Values): Content {
    const values = { ...this.settingValues, ...more };
    const change = (changes: Values): void => this.changeSettings(changes);
    return renderPanel(this.declared, panel, { texts: this.texts, values, change }, slots);
  }

  /** An action of this element; the newest request wins. Failures are shown in the figure. */
  protected task<Input, Output = void>(
    options: Partial<TaskOptions<Input, Output>> & Work<Input, Output>,
  ): Task<Input, Output> {
    const failed = (error: unknown): void => this.fail(error);
    return new Task(this, { order: 'newest', failed, ...options });
  }

  /** Shows an error in the figure. Cancelling is not an error. */
  protected fail(error: unknown): void {
    const code = codeOf(error);
    if (code === 'cancelled') return;
    const message = error instanceof Error ? error.message : String(error);
    if (code === 'unsupported') this.unsupported = message;
    else this.problem = message;
  }

  /** Reports the reader's change to the page. */
  protected changed(detail: unknown): void {
    this.dispatchEvent(new CustomEvent('tied-change', { detail, bubbles: true, composed: true }));
  }

  // ------------------------------------------------------------ the frame

  override connectedCallback(): void {
    if (!this.hasUpdated) {
      const found = this.links.read();
      this.authored = Object.fromEntries(Array.from(this.attributes, ({ name, value }) => [name, value]));
      for (const [name, value] of Object.entries(this.linkable(found ?? {}))) this.setAttribute(name, value);
      if (found !== null) this.showLinked();
    }
    super.connectedCallback();
  }

  /** A link to another state of this figure was followed. Attributes that it omits are as the page's author set them. */
  protected followLink(found: Readonly<Record<string, string>>): void {
    const { linkSettings, elementProperties } = this.constructor as typeof TiedElement;
    this.problem = null;
    for (const [name, { attribute, converter }] of elementProperties) {
      if (typeof attribute !== 'string' || !linkSettings.includes(attribute) || typeof converter !== 'object') continue;
      const given = found[attribute] ?? this.authored[attribute] ?? null;
      Object.assign(this, { [name]: converter.fromAttribute?.(given) });
    }
    this.showLinked();
  }

  private showLinked(): void {
    void this.updateComplete.then(() => {
      unfold(this);
      keepInView(this);
    });
  }

  /** The attributes that a link may set. */
  private linkable(attributes: Readonly<Record<string, string>>): Record<string, string> {
    const { linkSettings } = this.constructor as typeof TiedElement;
    return Object.fromEntries(Object.entries(attributes).filter(([name]) => linkSettings.includes(name)));
  }

  protected override render(): TemplateResult {
    const strings = this.texts;
    if (this.unsupported !== null) {
      return html`<div class="message" role="note">
        <strong>${strings.unsupportedTitle}</strong> ${this.unsupported}
        <slot></slot>
      </div>`;
    }
    const parts = this.parts();
    if (parts.announcement !== undefined) this.announcer.announce(parts.announcement);
    const command = this.linkState === null ? null : this.command();
    const card = this.card();
    const embed = { hint: strings.embedHint, text: embedCode(this.localName, this.settings(), embedScriptUrl()) };
    const link = this.open === 'link' ? { hint: strings.copyFailed, text: this.linkToThis() } : null;
    const codes = { embed, command, card, link, data: null };
    const toggle = (part: OpenPart, label: string, onOpen?: () => void): FrameButton => ({
      label,
      expanded: this.open === part,
      onPress: () => {
        this.open = this.open === part ? null : part;
        if (this.open === part) onOpen?.();
      },
    });
    return figureFrame(parts, {
      strings,
      headingLevel: this.headingLevel,
      isEnglish: Object.keys({ ...this.strings }).length === 0,
      problem: this.problem,
      announcement: this.announcer.text,
      open: this.open,
      options: {
        label: strings.options,
        expanded: this.optionsOpen,
        onPress: () => (this.optionsOpen = !this.optionsOpen),
      },
      buttons: [
        parts.data === undefined ? null : toggle('data', this.open === 'data' ? strings.hideData : strings.showData),
        parts.hasPicture === false ? null : { label: strings.savePicture, onPress: () => void this.savePicture() },
        this.linkState === null ? null : { label: strings.copyLink, onPress: () => this.copyLink() },
        command === null ? null : toggle('command', command.label),
        card === null ? null : toggle('card', card.label, card.onOpen),
        toggle('embed', strings.embed),
      ],
      note: this.note,
      code: this.open === null ? null : codes[this.open],
      copy: (code) => void this.copyText(code, strings.copied),
    });
  }

  private copyLink(): void {
    const link = this.linkToThis();
    history.replaceState(history.state, '', link);
    this.links.wrote(link);
    // Readers of a page inside another page cannot copy it from the address bar.
    void this.copyText(link, this.texts.linkCopied).then((copied) => {
      if (!copied || this.open === 'link') this.open = copied ? null : 'link';
    });
  }

  /** Copies, and says so in the footer. Resolves with whether the browser allowed it. */
  protected async copyText(text: string, done: string): Promise<boolean> {
    const copied = await copyToClipboard(text);
    this.showNote(copied ? done : this.texts.copyFailed);
    return copied;
  }

  private async savePicture(): Promise<void> {
    const { pictureOf } = await import('./picture.js');
    const picture = pictureOf(this, () => {
      const { paper, ink, muted } = resolveColors(this, ['paper', 'ink', 'muted']);
      return {
        note: this.pictureNote(),
        title: this.renderRoot.querySelector('#title')?.textContent.trim().replace(/\s+/g, ' ') ?? '',
        source: { text: this.texts.pictureSource(VERSION), link: this.pictureLink() },
        colors: { background: colorText(paper), ink: colorText(ink), muted: colorText(muted) },
      };
    });
    if (picture === null) this.showNote(this.texts.pictureFailed);
    else saveFile(picture, `${this.localName}.svg`, 'image/svg+xml');
  }

  /** The link in a saved picture; null for a page on this machine. */
  private pictureLink(): string | null {
    if (!location.protocol.startsWith('http')) return null;
    return this.linkState === null ? location.href.replace(/#.*/, '') : this.linkToThis();
  }

  private linkToThis(): string {
    const url = new URL(location.href);
    url.hash = this.linkHash();
    return url.href;
  }

  /** The part of the link that names the figure and its state. */
  protected linkHash(): string {
    return encodeLinkState(this.linkState ?? '', this.linkable(this.settingsOfLink()));
  }

  private showNote(text: string): void {
    this.note = text;
    if (this.noteTimer !== null) clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => {
      this.note = '';
    }, 4000);
  }
}
