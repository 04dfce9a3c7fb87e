import type { PropertyDeclarations } from 'lit';
import type { TokenizerKind, Tying } from '../../core/types.js';
import { builtInTexts } from '../../texts/index.js';
import { TiedElement } from '../shared/tied-element.js';
import { armsConverter, batchConverter } from './attributes.js';
import { defaultSettings, settingProblems, type LabSettings } from './settings.js';
import { defaultMarkovStates, defaultStoryLength, type OwnText, type TextSource } from './text-source.js';
import { trainingLabStrings, type TrainingLabStrings } from './training-lab.strings.js';
import { speeds, type Speed } from './views/transport.js';

const settingNames = [
  'tokenizer',
  'vocabSize',
  'dModel',
  'arms',
  'seed',
  'learningRate',
  'batchSize',
  'optimizer',
  'outputBias',
  'steps',
] as const satisfies readonly (keyof LabSettings)[];

/** Sources that are no built-in texts, in the order in which they are offered. */
export const otherSources = ['stories', 'markov-chain', 'own'] as const;
export type OtherSource = (typeof otherSources)[number];

const defaultRunTo = 100;
const firstBuiltIn = builtInTexts[0]?.id ?? '';

/** The part of the training lab that is its attributes: what they are, what they may be, and what they mean. */
export abstract class SettingsElement extends TiedElement<TrainingLabStrings> {
  static override properties: PropertyDeclarations = {
    textSource: { type: String, attribute: 'text-source', reflect: true },
    storyLength: { type: Number, attribute: 'story-length', reflect: true },
    states: { type: Number, reflect: true },
    tokenizer: { type: String, reflect: true },
    vocabSize: { type: Number, attribute: 'vocab-size', reflect: true },
    dModel: { type: Number, attribute: 'd-model', reflect: true },
    arms: { converter: armsConverter, reflect: true },
    seed: { type: Number, reflect: true },
    learningRate: { type: Number, attribute: 'learning-rate', reflect: true },
    batchSize: { converter: batchConverter, attribute: 'batch-size', reflect: true },
    optimizer: { type: String, reflect: true },
    outputBias: { type: Boolean, attribute: 'output-bias', reflect: true },
    steps: { type: Number, reflect: true },
    runTo: { type: Number, attribute: 'run-to', reflect: true },
    speed: { type: String, reflect: true },
    text: { attribute: false },
  };

  declare textSource: string;
  /** Characters of stories to write. */
  declare storyLength: number;
  /** Of the known chain. */
  declare states: number;
  declare tokenizer: TokenizerKind;
  declare vocabSize: number;
  declare dModel: number;
  declare arms: readonly Tying[];
  declare seed: number;
  declare learningRate: number;
  declare batchSize: LabSettings['batchSize'];
  declare optimizer: LabSettings['optimizer'];
  declare outputBias: boolean;
  declare steps: number;
  /** The step that the button “Run to step” runs to. */
  declare runTo: number;
  declare speed: Speed;
  /** A text of the page's own; setting it makes `textSource` 'own'. */
  declare text: string | null;

  protected readonly ownStrings = trainingLabStrings;
  protected ownSource: OwnText | null = null;

  constructor() {
    super();
    Object.assign(this, defaultSettings);
    this.textSource = firstBuiltIn;
    this.storyLength = defaultStoryLength;
    this.states = defaultMarkovStates;
    this.runTo = defaultRunTo;
    this.speed = 'fast';
    this.text = null;
  }

  /** Steps of the present run: what a link leads back to. */
  protected abstract get stepsDone(): number;

  protected runSettings(): LabSettings {
    return Object.fromEntries(settingNames.map((name) => [name, this[name]])) as unknown as LabSettings;
  }

  protected settings(): Record<string, string> {
    return {
      'text-source': this.textSource,
      ...(this.textSource === 'stories' ? { 'story-length': String(this.storyLength) } : {}),
      ...(this.textSource === 'markov-chain' ? { states: String(this.states) } : {}),
      tokenizer: this.tokenizer,
      'vocab-size': String(this.vocabSize),
      'd-model': String(this.dModel),
      arms: this.arms.join(' '),
      seed: String(this.seed),
      'learning-rate': String(this.learningRate),
      'batch-size': String(this.batchSize),
      optimizer: this.optimizer,
      ...(this.outputBias ? { 'output-bias': '' } : {}),
      steps: String(this.steps),
      'run-to': String(this.stepsDone > 0 ? this.stepsDone : this.runTo),
      speed: this.speed,
    };
  }

  protected override willUpdate(): void {
    if (this.text !== null && this.text !== this.ownSource?.text) {
      this.ownSource = { kind: 'own', name: this.texts.pastedName, text: this.text };
      this.textSource = 'own';
    }
    this.refuseBadAttributes();
  }

  /** What cannot be run is replaced by its default, and the reader is told. */
  private refuseBadAttributes(): void {
    for (const problem of settingProblems(this.runSettings())) {
      const { setting } = problem;
      this.problem = this.texts.settingProblem(this.texts.settingNames[setting], problem);
      Object.assign(this, { [setting]: defaultSettings[setting] });
    }
    if (!speeds.includes(this.speed)) {
      this.problem = this.texts.unknownChoice('speed', this.speed, speeds.join(', '));
      this.speed = 'fast';
    }
    if (!Number.isInteger(this.runTo) || this.runTo < 0) this.runTo = defaultRunTo;
    if (this.textSource === 'built-in') this.textSource = firstBuiltIn;
    const known: string[] = [...otherSources, ...builtInTexts.map(({ id }) => id)];
    if (!known.includes(this.textSource)) {
      this.problem = this.texts.unknownChoice('text-source', this.textSource, known.join(', '));
      this.textSource = firstBuiltIn;
    }
  }

  /** The source that the attributes name; null while an own text is wanted and none was given. */
  protected wantedSource(): TextSource | null {
    switch (this.textSource as OtherSource) {
      case 'stories':
        return { kind: 'stories', length: this.storyLength };
      case 'markov-chain':
        return { kind: 'markov-chain', states: this.states };
      case 'own':
        return this.ownSource;
      default:
        return { kind: 'built-in', id: this.textSource };
    }
  }

  protected async loadBuiltIn(id: string): Promise<{ title: string; text: string }> {
    const found = builtInTexts.find((one) => one.id === id);
    if (found === undefined) throw new RangeError(`There is no built-in text “${id}”.`);
    return { title: found.title, text: await found.load() };
  }
}
