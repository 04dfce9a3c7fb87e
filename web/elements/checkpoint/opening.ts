import type { Lab, LabCheckpoint, OpenCheckpointOptions } from '../../core/types.js';
import { codeOf } from '../shared/error-code.js';
import type { TwinKind } from '../shared/model-twins.js';
import { CheckpointFileError, largestFile, readBytes, type NamedBytes, type SortedFile } from './checkpoint-files.js';
import type { Listening } from './listening.js';
import { openPageModel } from './page-models.js';
import { notAsked, runCheckpoint, runLlama2c, type RunningModel, type WhyNot } from './running-model.js';

/** Where a model comes from: the reader's files, a URL, or the page's file with a pair of models. */
export type Place =
  | { readonly kind: 'files'; readonly files: readonly SortedFile[] }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'page'; readonly url: string; readonly model: TwinKind };

/** What to open, and how. */
export interface Wanted {
  readonly place: Place;
  readonly tables?: { readonly input?: string; readonly output?: string };
  /** The reader has asked for the whole model at a URL. */
  readonly run?: boolean;
  /** The reader has agreed to download a file of this many bytes; null: of unknown size. */
  readonly wholeFile?: { readonly bytes: number | null };
}

/** An open model: what its file says, and the model itself if it runs here. */
export interface OpenedModel {
  readonly name: string;
  readonly wanted: Wanted;
  readonly checkpoint: LabCheckpoint;
  readonly running: RunningModel | null;
  /** For a model that does not run; null for tables alone. */
  readonly whyNot: WhyNot | null;
  /** The tokenizer that did not fit, and the core's error. */
  readonly misfit: { readonly error: Error; readonly file: NamedBytes } | null;
  readonly dispose: () => void;
}

export const nameOfUrl = (url: string): string => {
  const { pathname: path, hostname } = new URL(url, document.baseURI);
  // For a list of files, the model's name.
  const pathname = path.replace(/\/tree\/[^/]+\/?$/, '');
  try {
    return decodeURIComponent(pathname.split('/').filter(Boolean).pop() ?? hostname);
  } catch {
    return hostname;
  }
};

/** Nobody expects a table alone to run as a model. */
const isTableAlone = ({ format, tying, tensors }: LabCheckpoint): boolean =>
  format === 'npy' || format === 'csv' || (format === 'json' && tying.tied === null && tensors.length === 1);

/** Opens `wanted`, or throws and leaves nothing behind. */
export async function openModel(
  lab: Lab,
  wanted: Wanted,
  listening: Listening,
  names: Readonly<Record<TwinKind, string>>,
): Promise<OpenedModel> {
  const { place, tables, wholeFile } = wanted;
  const { signal, onBytes, onShare } = listening;
  const bytes = wholeFile?.bytes ?? null;
  const options: OpenCheckpointOptions = {
    signal,
    ...(tables === undefined ? {} : { tables }),
    onProgress: (share) => {
      if (wholeFile !== undefined && bytes !== null) onBytes(Math.round(share * bytes), bytes);
      else onShare(share);
    },
  };
  const made = (
    name: string,
    checkpoint: LabCheckpoint,
    running: RunningModel | null = null,
    { misfit = null, whyNot = null }: Partial<Pick<OpenedModel, 'misfit' | 'whyNot'>> = {},
  ): OpenedModel => ({
    name,
    wanted,
    checkpoint,
    running,
    whyNot: isTableAlone(checkpoint) ? null : whyNot,
    misfit,
    dispose: () => {
      checkpoint.dispose();
      running?.trainer.dispose();
    },
  });
  if (place.kind === 'page') {
    const { checkpoint, running } = await openPageModel(lab, place, listening);
    return made(names[place.model], checkpoint, running);
  }
  if (place.kind === 'url') {
    const url = new URL(place.url, document.baseURI).href;
    const whole = wholeFile === undefined ? {} : { wholeFile: true };
    const checkpoint = await lab.openCheckpoint(url, { ...options, ...whole, beside: true });
    const opened = made(nameOfUrl(url), checkpoint, null, { whyNot: notAsked(checkpoint) });
    if (wanted.run !== true) return opened;
    try {
      return await runOpened(lab, opened, listening);
    } catch (error) {
      checkpoint.dispose();
      throw error;
    }
  }
  const weights = place.files.find(({ role }) => role === 'llama2c');
  if (weights !== undefined) {
    const { checkpoint, running, ...others } = await openLlama2c(lab, weights.file, place.files, options);
    return made(weights.file.name, checkpoint, running, others);
  }
  const files = place.files.map(({ file, role }) => (role === 'tokenizer' ? named(file, 'tokenizer.bin') : file));
  const [first] = [...place.files].sort((a, b) => rank(a) - rank(b));
  const checkpoint = await lab.openCheckpoint(files, options);
  try {
    const found = await runCheckpoint(lab, checkpoint, signal);
    const name = first?.file.name ?? '';
    return 'why' in found ? made(name, checkpoint, null, { whyNot: found }) : made(name, checkpoint, found);
  } catch (error) {
    checkpoint.dispose();
    throw error;
  }
}

/** The same model, running, or with the reason why it does not run. If this fails, the open model stays open. */
export async function runOpened(
  lab: Lab,
  opened: OpenedModel,
  { signal, onModel }: Pick<Listening, 'signal' | 'onModel'>,
): Promise<OpenedModel> {
  const { checkpoint } = opened;
  const found = await runCheckpoint(lab, checkpoint, signal, onModel);
  const running = 'why' in found ? null : found;
  return {
    ...opened,
    wanted: { ...opened.wanted, run: true },
    running,
    whyNot: 'why' in found ? found : null,
    dispose: () => {
      checkpoint.dispose();
      running?.trainer.dispose();
    },
  };
}

const rank = ({ file, role }: SortedFile): number =>
  /\.index\.json$/i.test(file.name) ? 0 : role === 'tensors' ? 1 : 2;

/** The core tells the files of llama2.c apart by their names. */
const named = (file: File, name: string): File => new File([file], name);

async function openLlama2c(
  lab: Lab,
  weights: File,
  files: readonly SortedFile[],
  options: OpenCheckpointOptions,
): Promise<Pick<OpenedModel, 'checkpoint' | 'running' | 'misfit' | 'whyNot'>> {
  const words = files.find(({ role }) => role === 'tokenizer');
  const others = files.filter(({ role }) => role === 'configuration' || role === 'beside').map(({ file }) => file);
  const open = (tokenizer: boolean): Promise<LabCheckpoint> =>
    lab.openCheckpoint(
      [
        named(weights, 'model.bin'),
        ...others,
        ...(tokenizer && words !== undefined ? [named(words.file, 'tokenizer.bin')] : []),
      ],
      options,
    );
  if (weights.size > largestFile) {
    const whyNot: WhyNot = { why: 'too-large', parameters: weights.size / 4 };
    return { checkpoint: await open(true), running: null, misfit: null, whyNot };
  }
  const model = await readBytes(weights);
  const tokenizer = words === undefined ? null : await readBytes(words.file);
  let running: RunningModel;
  let misfit: OpenedModel['misfit'] = null;
  try {
    running = await runLlama2c(lab, model, tokenizer);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'bad-file') throw new CheckpointFileError({ what: 'broken-weights' }, model.name, { cause });
    if (code !== 'shape-mismatch' || tokenizer === null) throw cause;
    // The weights are opened without the tokenizer.
    misfit = { error: cause as Error, file: tokenizer };
    running = await runLlama2c(lab, model, null);
  }
  try {
    return { checkpoint: await open(misfit === null), running, misfit, whyNot: null };
  } catch (error) {
    running.trainer.dispose();
    throw error;
  }
}
