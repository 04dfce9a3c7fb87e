/**
 * Loads parts of the global script: classic scripts, because a page that was opened from a disk may neither fetch
 * files nor import modules. tools/build/script-parts.mjs makes them, and replaces each `import()` by `scriptParts.load`.
 */
import { beside, scriptNonce } from './classic-script.js';
import { TiedError } from './core/runtime/tied-error.js';
import { trusted } from './worker/trusted-url.js';

/** Made by the build, before the first module runs. */
interface ScriptParts {
  /** The files, in order, that hold an importable module and what it needs. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** Whether a module has been defined. */
  has(file: string): boolean;
  require(module: string): unknown;
  load(module: string): Promise<unknown>;
}
declare const scriptParts: ScriptParts;

/** Scripts that are loading or have loaded. */
const loading = new Map<string, Promise<void>>();

function loadFile(name: string): Promise<void> {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const promise = scriptParts.has(name) ? Promise.resolve() : insert(name);
  loading.set(name, promise);
  // The next request tries again.
  promise.catch(() => loading.delete(name));
  return promise;
}

async function insert(name: string): Promise<void> {
  const address = beside(`global/${name}`);
  if (address === null) throw lost(name, 'the script has no folder: it is inline, or has a blob: or data: URL');
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    // Not earlier: WebKit collects a script that is in no document together with its listeners, even while it loads.
    const ended = (end: () => void) => () => {
      script.remove();
      end();
    };
    const arrived = (): void => {
      if (scriptParts.has(name)) resolve();
      else reject(lost(address.href, 'it is damaged, or of another version'));
    };
    script.addEventListener('load', ended(arrived));
    script.addEventListener(
      'error',
      ended(() => reject(lost(address.href, 'it is missing, or the page may not load it'))),
    );
    script.async = true;
    script.nonce = scriptNonce;
    script.src = trusted(address) as string;
    document.head.append(script);
  });
}

const lost = (file: string, why: string): TiedError =>
  new TiedError(
    'bad-file',
    `the script ${file} could not be loaded: ${why}; expected the folder global beside tied-embeddings.global.js (tied-embeddings.standalone.js needs no other file)`,
  );

/** From now on, imports load the scripts beside this one. */
export function usePartsBeside(): void {
  scriptParts.load = async (module) => {
    await Promise.all((scriptParts.files[module] ?? []).map(loadFile));
    return scriptParts.require(module);
  };
}
