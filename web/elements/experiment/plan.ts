/** Turns what the page provides into what can be run. */
import type * as runner from '../../core/experiment-runner.js';
import type { ExperimentJob, ExperimentSpec } from '../../core/types.js';
import { VERSION } from '../../core/runtime/version.js';
import { askedSimd } from '../shared/page-labs.js';
import type { ExperimentStrings } from './experiment.strings.js';

export type Runner = typeof runner;

/** The runner and its checks are fetched once an experiment comes near the screen. */
export const loadRunner = (): Promise<Runner> => import('../../core/experiment-runner.js');

export interface Plan {
  readonly spec: Required<Pick<ExperimentSpec, 'claims'>> & ExperimentSpec;
  readonly jobs: readonly ExperimentJob[];
  /** A hash of the experiment, its text, and the version and build of the core; results are stored under it. */
  readonly key: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly costOf: (job: ExperimentJob) => number;
}

type Refusals = Pick<ExperimentStrings, 'otherOrigin' | 'notFetched' | 'notJson'>;

/** Where the experiment comes from. `src`: the element's attribute, for one that is not in the page. */
export interface SpecSource {
  readonly spec: unknown;
  readonly src: string | null;
  /** The JSON of a script inside the element. */
  readonly inside: string | null;
  readonly otherwise: ExperimentSpec;
}

/** Checks the experiment, and fetches its text if that is a separate file. */
export async function planOf(source: SpecSource, texts: Refusals, signal: AbortSignal): Promise<Plan> {
  const { checkSpec, costOf, expand, sha256Of } = await loadRunner();
  const base = source.spec === null && source.src !== null ? new URL(source.src, document.baseURI).href : undefined;
  const checked = checkSpec(await givenBy(source, texts, signal));
  const jobs = expand(checked);
  const { tokenizer, ...others } = checked;
  const spec = tokenizer === null ? others : { tokenizer, ...others };
  const sources = [spec.pairs ?? spec.text, spec.then?.text] as ({ file?: string } | undefined)[];
  const files = [...new Set(sources.flatMap((one) => one?.file ?? []))];
  const found = await Promise.all(files.map((file) => fetchText(file, base ?? document.baseURI, texts, signal)));
  const parts = [VERSION, askedSimd(), jobs[0]!.specHash, ...found];
  return {
    spec,
    jobs,
    key: sha256Of(parts.join('\n')).slice(0, 32),
    texts: Object.fromEntries(files.map((file, i) => [file, found[i]!])),
    costOf,
  };
}

async function givenBy(
  { spec, src, inside, otherwise }: SpecSource,
  texts: Refusals,
  signal: AbortSignal,
): Promise<unknown> {
  if (spec !== null) return spec;
  if (src !== null) return parsed(await fetchText(src, document.baseURI, texts, signal), src, texts);
  return inside === null ? otherwise : parsed(inside, null, texts);
}

function parsed(json: string, name: string | null, texts: Refusals): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error(texts.notJson(name ?? '', error instanceof Error ? error.message : String(error)), {
      cause: error,
    });
  }
}

async function fetchText(name: string, base: string, texts: Refusals, signal: AbortSignal): Promise<string> {
  const url = new URL(name, base);
  if (url.origin !== new URL(document.baseURI).origin) throw new Error(texts.otherOrigin(name));
  const response = await fetch(url, { signal }).catch((error: unknown) => String(error));
  signal.throwIfAborted();
  if (typeof response === 'string') throw new Error(texts.notFetched(name, response));
  if (!response.ok) throw new Error(texts.notFetched(name, String(response.status)));
  return response.text();
}
