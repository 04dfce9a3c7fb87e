/** The configuration of a model, from the shapes of its tensors and the settings in its files and from the caller. */
import { completeModel } from '../../model/model-options.js';
import { invalidArgument, TiedError } from '../../runtime/errors.js';
import type { CheckpointTying, ModelSettings } from '../types.js';
import type { ModelConfig, TextModelConfig, TransformerConfig } from '../../types.js';
import { saysOfConfig } from './config-says.js';
import type { Opened } from '../directory.js';
import { saysOfGguf, saysOfLlama2c } from './file-says.js';
import type { Said, Says, Setting } from './model-says.js';
import { namesOf, namingOf, otherArchitecture, type FoundNaming } from './namings.js';
import { OWN_KEYS } from '../tying/own-model.js';
import { badFile } from '../bytes/source.js';
import { elementsOf } from '../elements/stored-types.js';
import type { StoredTensor } from '../tensors.js';

export interface ModelOfFiles {
  readonly model: ModelConfig;
  /** Null if tensors have our own names. */
  readonly naming: FoundNaming | null;
}

export interface FactsOfFiles {
  readonly opened: Opened;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** Tokens and width. */
  readonly table: { readonly name: string; readonly rows: number; readonly cols: number };
  readonly tying: CheckpointTying;
  readonly configuration: ReadonlyMap<string, unknown> | null;
  readonly notes: string[];
}

export function modelOfFiles(facts: FactsOfFiles, given: ModelSettings): ModelOfFiles {
  const { opened, tensors } = facts;
  const naming = namingOf(tensors);
  const own = opened.metadata.get(OWN_KEYS.metadata) ?? opened.values.get(OWN_KEYS.values);
  if (typeof own !== 'string' && naming === null) throw noArchitecture(facts, tensors);
  const model = typeof own === 'string' ? ofOwn(own, facts, given) : ofOthers(naming!, facts, given);
  checkElements(model, facts);
  return { model, naming };
}

/** If only names are known: checks them, and the settings in the configuration. */
export function checkArchitecture(facts: FactsOfFiles, names: ReadonlySet<string>): void {
  const own = facts.opened.metadata.get(OWN_KEYS.metadata);
  if (typeof own === 'string') return;
  const naming = namingOf(names);
  if (naming === null) throw noArchitecture(facts, names);
  saysOf(naming, facts);
}

/** Checked before memory is allocated for the model: the file must have about as many elements, whatever its header says. */
function checkElements(model: ModelConfig, { opened, tensors }: FactsOfFiles): void {
  const { dModel: d, dFeedForward: f = 4 * d, tableRank: r } = model;
  const table = r === undefined ? model.vocabSize * d : (model.vocabSize + d) * r;
  const isTransformer = model.kind === 'transformer';
  const maps = isTransformer ? model.nLayers! * (2 * d * d + 2 * d * f) : 0;
  const positions = isTransformer && model.positions === 'learned' ? model.contextLength! * d : 0;
  const between = model.tying === 'tied-linear' ? d * d : model.tying === 'tied-mlp' ? 2 * d * f : 0;
  const least = table + maps + positions + between;
  const found = [...tensors.values()].reduce((sum, { shape }) => sum + (elementsOf(shape) ?? 0), 0);
  if (found < least)
    throw badFile(
      opened.sources[0]!.name,
      `its tensors have ${found} elements; expected at least ${least}, as its sizes say: it may be incomplete`,
    );
}

function noArchitecture({ opened }: FactsOfFiles, names: { readonly keys: () => Iterable<string> }): TiedError {
  const all = [...names.keys()];
  const first = all.slice(0, 3).map((name) => `'${name.slice(0, 80)}'`);
  const listed = `its tensors (${first.join(', ')}${all.length > 3 ? ' and more' : ''}) are`;
  const other = otherArchitecture(all);
  const what = other === null ? 'not named as those of an architecture that runs here' : `named as those of ${other}`;
  return new TiedError(
    'unsupported',
    `${opened.sources[0]!.name}: ${listed} ${what}; expected GPT-2 or Llama, with the names of Hugging Face, GGUF or llama2.c, or a trainer's file`,
  );
}

// ---------------------------------------------------------------- our own files

function ofPairs(file: string): TiedError {
  return new TiedError(
    'unsupported',
    `${file}: its model is an encoder-decoder; expected one that continues a text. Files that a trainer's save() writes can hold both`,
  );
}

function ofOwn(json: string, facts: FactsOfFiles, given: ModelSettings): TextModelConfig {
  const file = facts.opened.sources[0]!.name;
  let model: TextModelConfig;
  try {
    const said = JSON.parse(json) as ModelConfig | null;
    if (said?.kind === 'encoder-decoder') throw ofPairs(file);
    model = completeModel(said as ModelConfig) as TextModelConfig;
  } catch (cause) {
    if (cause instanceof TiedError && cause.code === 'unsupported') throw cause;
    const why = cause instanceof Error ? cause.message.slice(0, 200) : 'it cannot be read';
    throw badFile(file, `its configuration cannot be used: ${why}; expected the configuration of a trainer`, cause);
  }
  checkKeys(model, facts);
  const { rows, cols, name } = facts.table;
  for (const [setting, value, found] of [
    ['vocabSize', model.vocabSize, rows],
    model.tableRank === undefined ? ['dModel', model.dModel, cols] : ['tableRank', model.tableRank, cols],
  ] as const)
    if (value !== found)
      throw badFile(file, `${setting} of its configuration is ${value}; expected ${found}, as '${name}' has it`);
  for (const [setting, value] of Object.entries(given) as [keyof ModelSettings, unknown][]) {
    if (value === undefined || setting === 'dropout' || setting === 'tying' || setting === 'contextLength') continue;
    if (model[setting] !== value) throw contradiction(setting, value, model[setting], `the configuration of ${file}`);
  }
  const changed = withTying(model, given.tying, facts);
  if (changed.kind !== 'transformer') return changed;
  return { ...changed, ...contextOf(given, model.contextLength!, `the configuration of ${file}`), ...dropoutOf(given) };
}

/** The keys of GGUF that llama.cpp reads say the same as our own; floats have 32 bits there. */
function checkKeys(model: TextModelConfig, facts: FactsOfFiles): void {
  const naming = namingOf(facts.tensors);
  if (naming?.naming.settings !== 'gguf') return;
  for (const [setting, { value, where }] of saysOf(naming, { ...facts, notes: [] })) {
    const own = model[setting];
    const isSame = typeof own === 'number' && typeof value === 'number' && Math.fround(own) === Math.fround(value);
    if (own !== value && !isSame)
      throw badFile(
        facts.opened.sources[0]!.name,
        `${where} is ${value}; expected ${String(own)}, as ${OWN_KEYS.values} has it`,
      );
  }
}

/** Our own files have more kinds of tying than the two of other files. */
function withTying<M extends ModelConfig>(model: M, tying: ModelSettings['tying'], facts: FactsOfFiles): M {
  if (tying === undefined) return model;
  if (model.tying === 'tied' || model.tying === 'untied') return { ...model, tying };
  throw contradiction('tying', tying, model.tying, `the configuration of ${facts.opened.sources[0]!.name}`);
}

// ---------------------------------------------------------------- other programs' files

function ofOthers(naming: FoundNaming, facts: FactsOfFiles, given: ModelSettings): TransformerConfig {
  const { architecture } = naming.naming;
  const shapes = saysOfShapes(naming, facts);
  const said = saysOf(naming, facts);
  for (const [setting, { value, where }] of shapes) {
    const other = said.get(setting);
    if (other !== undefined && other.value !== value)
      throw badFile(facts.opened.sources[0]!.name, `${other.where} is ${other.value}; expected ${value}, ${where}`);
  }
  const known: Says = new Map([...said, ...shapes]);
  const of = <S extends Setting & keyof ModelSettings>(setting: S): Said['value'] | undefined => {
    const found = known.get(setting);
    const wanted = given[setting] as Said['value'] | undefined;
    if (found !== undefined && wanted !== undefined && wanted !== found.value)
      throw contradiction(setting, wanted, found.value, found.where);
    return wanted ?? found?.value;
  };
  const isLlama = architecture === 'llama';
  const settings = {
    nHeads: of('nHeads'),
    ...(isLlama ? { nKeyValueHeads: of('nKeyValueHeads') } : {}),
    normEpsilon: of('normEpsilon'),
    ...(isLlama ? { rotaryBase: of('rotaryBase') } : {}),
    feedForward: of('feedForward'),
  };
  const context = known.get('contextLength');
  const unsaid = Object.entries({ ...settings, contextLength: given.contextLength ?? context?.value })
    .filter(([, value]) => value === undefined)
    .map(([setting]) => setting);
  if (unsaid.length > 0) throw notSaid(unsaid, naming, facts);
  const feedForward = isLlama ? 'swiglu' : 'gelu';
  if (settings.feedForward !== feedForward)
    throw invalidArgument('options.model.feedForward', settings.feedForward, `'${feedForward}', as the tensors say`);
  return {
    ...(settings as { nHeads: number; normEpsilon: number }),
    ...contextOf(given, context?.value as number | undefined, context?.where ?? ''),
    ...dropoutOf(given),
    ...{ kind: 'transformer', feedForward, finalNorm: true, tying: tyingOf(given, facts) },
    ...{ vocabSize: facts.table.rows, dModel: facts.table.cols },
    ...{ nLayers: known.get('nLayers')!.value as number, dFeedForward: known.get('dFeedForward')!.value as number },
    ...(isLlama
      ? { norm: 'rms-norm', positions: 'rotary', biases: 'none' }
      : { norm: 'layer-norm', positions: 'learned', biases: 'all' }),
  };
}

function saysOf({ naming }: FoundNaming, { opened, configuration, notes }: FactsOfFiles): Says {
  const { architecture, settings } = naming;
  const file = opened.sources[0]!.name;
  if (settings === 'gguf') return saysOfGguf(architecture, opened.values, file, notes);
  if (settings === 'config') return configuration ? saysOfConfig(architecture, configuration, notes) : new Map();
  return opened.metadata.get('architecture') === 'llama2.c' ? saysOfLlama2c(opened.metadata, file) : new Map();
}

function saysOfShapes(found: FoundNaming, { opened, tensors, table }: FactsOfFiles): Says {
  const says: Says = new Map();
  const say = (setting: Setting, value: number, name: string): void => {
    const { shape } = tensors.get(name) ?? { shape: [table.rows, table.cols] };
    says.set(setting, { value, where: `as '${name}' has the shape [${shape.join(', ')}]` });
  };
  say('vocabSize', table.rows, table.name);
  say('dModel', table.cols, table.name);
  const first = (parameter: string): StoredTensor => {
    const [name] = namesOf(found, parameter);
    const tensor = name && tensors.get(name.theirs);
    if (tensor && tensor.shape.length === 2) return tensor;
    throw badFile(opened.sources[0]!.name, `it has no matrix '${name?.theirs ?? parameter}'; expected all of a model`);
  };
  const down = first('layers.0.feed_forward.down.weight');
  const isTurned = namesOf(found, 'layers.0.feed_forward.down.weight')[0]!.name.how === 'turned';
  say('dFeedForward', down.shape[isTurned ? 0 : 1]!, down.name);
  if (found.naming.architecture === 'gpt-2') {
    const positions = first('positions');
    say('contextLength', positions.shape[0]!, positions.name);
  }
  let layers = 1;
  const norm = (layer: number): string => namesOf(found, `layers.${layer}.attention_norm.weight`)[0]!.theirs;
  while (tensors.has(norm(layers))) layers++;
  says.set('nLayers', { value: layers, where: `as '${norm(layers - 1)}' is the last of its kind` });
  return says;
}

/** One table or two: whichever is evident, unless a configuration contradicts it and the caller does not decide. */
function tyingOf({ tying: wanted }: ModelSettings, { tying, opened }: FactsOfFiles): 'tied' | 'untied' {
  if (wanted !== undefined) return wanted;
  if (tying.tied === null)
    throw new TiedError(
      'unsupported',
      `${opened.sources[0]!.name}: whether it is tied is not known (${tying.reason.replace(/\.$/, '')}); expected a language model, or options.model.tying`,
    );
  if (tying.conflict !== null)
    throw new TiedError(
      'invalid-argument',
      `options.model.tying is undefined; expected 'tied' or 'untied', because the files contradict each other: ${tying.conflict}`,
    );
  return tying.tied ? 'tied' : 'untied';
}

function contextOf(given: ModelSettings, most: number | undefined, where: string): { contextLength: number } {
  const { contextLength = most } = given;
  if (most !== undefined && contextLength! > most)
    throw invalidArgument('options.model.contextLength', contextLength, `at most ${most}, ${where}`);
  return { contextLength: contextLength! };
}

const dropoutOf = ({ dropout }: ModelSettings): { dropout?: number } => (dropout === undefined ? {} : { dropout });

const contradiction = (setting: string, value: unknown, found: unknown, where: string): TiedError =>
  invalidArgument(`options.model.${setting}`, value, `${String(found)} or no value, because ${where} sets it`);

function notSaid(unsaid: readonly string[], { naming }: FoundNaming, { opened }: FactsOfFiles): TiedError {
  const where = { config: 'config.json beside it', gguf: 'its keys', llama2c: 'the metadata of llama2.c' };
  return new TiedError(
    'invalid-argument',
    `options.model does not say ${unsaid.join(', ')}, nor does ${opened.sources[0]!.name} (${naming.title}); expected ${where[naming.settings]}, or options.model with ${unsaid.length > 1 ? 'them' : 'it'}`,
  );
}
