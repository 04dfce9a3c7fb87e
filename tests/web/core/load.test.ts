import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as main from '../../../web/index.js';
import { VERSION } from '../../../web/core/runtime/version.js';
import * as slim from '../../../web/slim.js';
import { expectError, matrixOf } from './support.js';

const WASM = new URL('../../../web/wasm/core.wasm', import.meta.url);
const ANALYSIS = new URL('./analysis.wasm', WASM);
const SQUARE = matrixOf([
  [1, 2],
  [2, 1],
]);

afterEach(() => vi.restoreAllMocks());

async function rejection(promise: Promise<unknown>): Promise<main.TiedError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(main.TiedError);
  return error as main.TiedError;
}

describe('loadCore', () => {
  test('has the version of the package', async () => {
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    const core = await main.loadCore();
    expect(core.version).toBe(manifest.version);
    expect(VERSION).toBe(manifest.version);
    expect(core.simd).toBe('simd128');
  });

  test('loads the wasm from bytes or a URL, with either entry', async () => {
    const wasmBytes = readFileSync(WASM);
    const analysisBytes = readFileSync(ANALYSIS);
    expect((await main.loadCore({ wasmBytes })).symmetry(SQUARE).symmetric).toBe(true);
    for (const { loadCore } of [main, slim]) {
      expect((await loadCore({ wasmBytes, analysisBytes })).symmetry(SQUARE).symmetric).toBe(true);
      expect((await loadCore({ wasmBytes, analysisUrl: ANALYSIS })).symmetry(SQUARE).symmetric).toBe(true);
      // analysis.wasm is found beside core.wasm.
      expect((await loadCore({ wasmUrl: WASM })).symmetry(SQUARE).symmetric).toBe(true);
      expect((await loadCore({ wasmUrl: WASM.href })).symmetry(SQUARE).symmetric).toBe(true);
    }
  });

  test('reports what is wrong with given wasm', async () => {
    const noise = await rejection(main.loadCore({ wasmBytes: Uint8Array.of(1, 2, 3) }));
    expect(noise.code).toBe('bad-file');
    const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    expect((await rejection(main.loadCore({ wasmBytes: empty }))).code).toBe('bad-file');
    const absent = await rejection(main.loadCore({ wasmUrl: new URL('./absent.wasm', WASM) }));
    expect(absent.code).toBe('bad-file');
    expect(absent.message).toMatch(/absent\.wasm could not be read/);
    const notBytes = await rejection(main.loadCore({ wasmBytes: 'core' as never }));
    expect(notBytes.message).toBe("options.wasmBytes is 'core'; expected an ArrayBuffer or a typed array");
    const swapped = await rejection(main.loadCore({ wasmBytes: readFileSync(ANALYSIS) }));
    expect(swapped.message).toMatch(/expected the core\.wasm of this same version/);
    const analysisNoise = await rejection(main.loadCore({ analysisBytes: Uint8Array.of(1, 2, 3) }));
    expect(analysisNoise.message).toMatch(/^options\.analysisBytes is not a WebAssembly module/);
    const unknown = await rejection(main.loadCore({ wasmURL: WASM } as never));
    expect(unknown.message).toMatch(/^options\.wasmURL is not an option; expected 'wasmUrl'/);
    expect((await main.loadCore()).symmetry(SQUARE).symmetric).toBe(true);
  });

  describe('from a URL without a folder', () => {
    const dataUrl = (file: URL, type: string) => `data:${type};base64,${readFileSync(file).toString('base64')}`;
    const blobUrl = (file: URL, type: string) =>
      URL.createObjectURL(new Blob([new Uint8Array(readFileSync(file))], { type }));

    test.each(['application/wasm', 'application/octet-stream'])('loads, as %s, by either entry', async (type) => {
      for (const address of [dataUrl, blobUrl]) {
        const [wasmUrl, analysisUrl] = [address(WASM, type), address(ANALYSIS, type)];
        for (const { loadCore, createLab } of [main, slim]) {
          expect((await loadCore({ wasmUrl, analysisUrl })).symmetry(SQUARE).symmetric).toBe(true);
          // The other modules are found as if there were no wasmUrl.
          expect((await loadCore({ wasmUrl: new URL(wasmUrl) })).symmetry(SQUARE).symmetric).toBe(true);
          const lab = await createLab({ wasmUrl, analysisUrl });
          expect((await lab.symmetry(SQUARE)).symmetric).toBe(true);
          lab.dispose();
        }
      }
    });

    test('names the option that would help if the other modules are not found either', async () => {
      const wasmUrl = dataUrl(WASM, 'application/wasm');
      vi.resetModules();
      // Discards what other tests have cached.
      const fresh = await import('../../../web/slim.js');
      vi.spyOn(process.getBuiltinModule('node:fs').promises, 'readFile').mockRejectedValue(new Error('not there'));
      for (const open of [fresh.loadCore, fresh.createLab]) {
        const error = await open({ wasmUrl }).catch((reason: unknown) => reason as main.TiedError);
        expect(error).toBeInstanceOf(fresh.TiedError);
        expect(error).toHaveProperty('code', 'bad-file');
        expect((error as main.TiedError).message).toMatch(
          /(analysis|accounting|stories)\.wasm could not be read; options\.\1Url should be the URL of/,
        );
      }
    });

    test('quotes the beginning of a value that it cannot use', async () => {
      const noise = await rejection(main.loadCore({ wasmUrl: `data:;base64,${'A'.repeat(100_000)}` }));
      expect(noise.code).toBe('bad-file');
      expect(noise.message).toMatch(/^the file at data:;base64,A{24}\.\.\. is not a WebAssembly module/);
      const unknown = await rejection(main.loadCore({ wasmUrl: `http://[${'A'.repeat(100_000)}` }));
      expect(unknown.message).toMatch(/^options\.wasmUrl is 'http:\/\/\[A{29}\.\.\.'; expected a URL$/);
    });
  });

  describe('from a server', () => {
    const addresses = { wasmUrl: 'http://localhost/core.wasm' };
    /** Serves every file with this type; `change` alters its bytes in transit. */
    function serve(type: string, change: (bytes: Uint8Array<ArrayBuffer>) => BodyInit = (bytes) => bytes) {
      vi.spyOn(globalThis, 'fetch').mockImplementation((address) => {
        const bytes = readFileSync(new URL(`./${String(address).split('/').at(-1)!}`, WASM));
        return Promise.resolve(new Response(change(new Uint8Array(bytes)), { headers: { 'Content-Type': type } }));
      });
    }

    test('compiles the wasm while it streams if the server declares its type, and afterwards if not', async () => {
      const [streaming, whole] = [vi.spyOn(WebAssembly, 'compileStreaming'), vi.spyOn(WebAssembly, 'compile')];
      serve('application/wasm');
      expect((await main.loadCore(addresses)).symmetry(SQUARE).symmetric).toBe(true);
      expect([streaming.mock.calls.length, whole.mock.calls.length]).toEqual([5, 0]);
      serve('application/octet-stream');
      expect((await main.loadCore(addresses)).symmetry(SQUARE).symmetric).toBe(true);
      expect([streaming.mock.calls.length, whole.mock.calls.length]).toEqual([5, 5]);
    });

    test.each(['application/wasm', 'text/plain'])(
      'reports whether a file of type %s is invalid or did not arrive',
      async (type) => {
        serve(type, (bytes) => bytes.subarray(0, 1000));
        const wrong = await rejection(main.loadCore(addresses));
        expect(wrong.code).toBe('bad-file');
        // All files are invalid, and any of them may be reported first.
        expect(wrong.message).toMatch(
          /^the file at http:\/\/localhost\/(core|analysis|files|accounting|stories)\.wasm is not a WebAssembly module that this browser can compile$/,
        );
        serve(
          type,
          (bytes) =>
            new ReadableStream({
              pull: (controller) => {
                controller.enqueue(bytes.subarray(0, 1000));
                controller.error(new TypeError('the line is dead'));
              },
            }),
        );
        const cut = await rejection(main.loadCore(addresses));
        expect(cut.code).toBe('bad-file');
        expect(cut.message).toMatch(
          /^the file at http:\/\/localhost\/(core|analysis|files|accounting|stories)\.wasm could not be fetched; options\.(wasm|analysis|accounting|stories)Url should be the URL of \1\.wasm$/,
        );
      },
    );
  });

  test.each(['core-Dk3jAb.wasm', 'core.5f2a1b.wasm?v=2', '0af3c9'])(
    'finds the other modules as if there were no wasmUrl if the core is called %s',
    async (name) => {
      const address = `http://localhost/assets/${name}`;
      const requested: string[] = [];
      vi.spyOn(globalThis, 'fetch').mockImplementation((from) => {
        requested.push(String(from));
        return Promise.resolve(new Response(new Uint8Array(readFileSync(WASM))));
      });
      for (const { loadCore, createLab } of [main, slim]) {
        expect((await loadCore({ wasmUrl: address })).symmetry(SQUARE).symmetric).toBe(true);
        const lab = await createLab({ wasmUrl: address });
        expect((await lab.symmetry(SQUARE)).symmetric).toBe(true);
        lab.dispose();
      }
      expect(new Set(requested)).toEqual(new Set([address]));
    },
  );

  test('names detached bytes, and accepts every view of bytes', async () => {
    const gone = <T extends ArrayBuffer | ArrayBufferView<ArrayBuffer>>(bytes: T): T => {
      structuredClone(bytes, { transfer: [bytes instanceof ArrayBuffer ? bytes : bytes.buffer] });
      return bytes;
    };
    const lost: [bytes: ArrayBuffer | ArrayBufferView, is: string][] = [
      [gone(new Uint8Array(8)), 'a Uint8Array whose buffer was transferred or has shrunk'],
      [gone(new Float64Array(8)), 'a Float64Array whose buffer was transferred or has shrunk'],
      [gone(new ArrayBuffer(8)), 'an ArrayBuffer that was transferred'],
      [gone(new DataView(new ArrayBuffer(8))), 'a DataView'],
      [new Proxy(new Uint8Array(8), {}), 'an object'],
    ];
    for (const [bytes, is] of lost) {
      for (const option of ['wasmBytes', 'accountingBytes']) {
        for (const open of [main.loadCore, main.createLab]) {
          const error = await rejection(open({ [option]: bytes }));
          expect(error.code).toBe('invalid-argument');
          expect(error.message).toBe(`options.${option} is ${is}; expected an ArrayBuffer or a typed array`);
        }
      }
    }
    const file = new Uint8Array(readFileSync(WASM));
    const shared = new Uint8Array(new SharedArrayBuffer(file.length));
    shared.set(file);
    const within = new Uint8Array(file.length + 5);
    within.set(file, 3);
    const views = [file.buffer, shared, within.subarray(3, -2), new DataView(within.buffer, 3, file.length)];
    for (const wasmBytes of views) expect((await main.loadCore({ wasmBytes })).symmetry(SQUARE).symmetric).toBe(true);
  });

  test('compiles the inlined wasm once, however many cores are loaded', async () => {
    await main.loadCore();
    const compile = vi.spyOn(WebAssembly, 'compile');
    await Promise.all([main.loadCore(), main.loadCore()]);
    expect(compile).not.toHaveBeenCalled();
  });
});

describe('the option simd', () => {
  const wrong = ['relax', '', 'SIMD128', null, true, 2, ['relaxed']];

  test('accepts one of two words, in every entry', async () => {
    for (const open of [main.loadCore, slim.loadCore, main.createLab, slim.createLab]) {
      for (const simd of wrong) {
        const error = await rejection(open({ simd: simd as never }));
        expect(error.code).toBe('invalid-argument');
        expect(error.message).toMatch(/^options\.simd is .*; expected one of 'simd128' or 'relaxed'/);
      }
    }
    for (const simd of wrong)
      expectError(() => main.isSupported({ simd: simd as never }), 'invalid-argument', /^options\.simd is /);
    expectError(
      () => main.isSupported({ smid: 'relaxed' } as never),
      'invalid-argument',
      /^options\.smid is not an option; expected 'simd'/,
    );
  });

  test('is refused before anything is fetched or compiled if the engine has no relaxed SIMD', async () => {
    const validate = WebAssembly.validate;
    // The probe of the baseline is valid, the other one is not.
    vi.spyOn(WebAssembly, 'validate').mockImplementation(
      (bytes) => validate(bytes) && !Buffer.from(bytes as Uint8Array).includes(Buffer.from([0xfd, 0x85, 0x02])),
    );
    const worker = vi.fn();
    vi.stubGlobal('Worker', worker);
    const begun = [vi.spyOn(WebAssembly, 'compile'), vi.spyOn(globalThis, 'fetch'), worker];
    const { supported, reason } = main.isSupported({ simd: 'relaxed' });
    expect(supported).toBe(false);
    expect(reason).toBe(
      "This browser has no relaxed WebAssembly SIMD. Chrome 114, Firefox 145 and Node 21 have it (Node 20 with --experimental-wasm-relaxed-simd); simd: 'simd128', the default, runs here.",
    );
    for (const open of [main.loadCore, slim.loadCore, main.createLab, slim.createLab]) {
      for (const place of [{}, { wasmUrl: 'http://localhost:9/core-relaxed.wasm' }]) {
        const error = await rejection(open({ simd: 'relaxed', ...place }));
        expect([error.code, error.message]).toEqual(['unsupported', reason]);
      }
    }
    await rejection(main.createLab({ wasmBytes: 'core' as never }));
    for (const spy of begun) expect(spy).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
    expect(main.isSupported()).toEqual({ supported: true, reason: null });
    expect((await main.loadCore()).simd).toBe('simd128');
  });
});

describe('isSupported', () => {
  test('finds everything supported in this engine', () => {
    expect(main.isSupported()).toEqual({ supported: true, reason: null });
    expect(main.isSupported({ simd: 'simd128' })).toEqual({ supported: true, reason: null });
  });

  test('reports missing SIMD, and loading reports the same', async () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    const { supported, reason } = main.isSupported();
    expect(supported).toBe(false);
    expect(reason).toMatch(/SIMD/);
    const error = await rejection(main.loadCore());
    expect(error.code).toBe('unsupported');
    expect(error.message).toBe(reason);
  });

  test('reports a policy that forbids WebAssembly', () => {
    vi.spyOn(WebAssembly, 'Module').mockImplementation(function () {
      throw new WebAssembly.CompileError('blocked');
    });
    expect(main.isSupported().reason).toMatch(/wasm-unsafe-eval/);
  });

  test('reports missing WebAssembly', () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(main.isSupported().reason).toMatch(/no WebAssembly/);
    vi.unstubAllGlobals();
  });
});

test('importing the package has no side effects', async () => {
  vi.resetModules();
  const before = new Set(Object.getOwnPropertyNames(globalThis));
  const compile = vi.spyOn(WebAssembly, 'compile');
  const instantiate = vi.spyOn(WebAssembly, 'instantiate');
  await import('../../../web/index.js');
  await import('../../../web/slim.js');
  expect(compile).not.toHaveBeenCalled();
  expect(instantiate).not.toHaveBeenCalled();
  expect(Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name))).toEqual([]);
});
