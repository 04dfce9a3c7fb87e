// Checkpoints in a real browser: files that the reader chooses, and URLs of another origin whose server limits what the page sees.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ramp, safetensors, utf8 } from '../web/checkpoint/checkpoint-files.js';
import {
  rangeOf,
  sendRange,
  sendWhole,
  startServer,
  type Answer,
  type FileServer,
} from '../web/checkpoint/file-server.js';
import { openFixture, type OpenedPage } from './harness.js';

interface Opened {
  tying?: { tied: boolean; evidence: string; conflict: string | null };
  tokens?: string[] | null;
  bytesRead?: number;
  last?: number;
  mode?: string;
  code?: string;
  message?: string;
}

const SCRIPT = `
  import { createLab } from './web/index.ts';
  const lab = await createLab();
  const opened = async (from, options) => {
    try {
      const checkpoint = await lab.openCheckpoint(from, options);
      const { data } = await checkpoint.matrix('output', { rows: { from: 1, to: 3 } });
      const { tying, tokens, bytesRead } = checkpoint;
      return { tying, tokens, bytesRead, last: data.at(-1), mode: lab.mode };
    } catch ({ code, message }) {
      return { code, message };
    }
  };
  window.openUrl = opened;
  window.openFiles = () => opened([...document.querySelector('#files').files]);
  window.cancelled = async (url) => {
    const controller = new AbortController();
    const opening = opened(url, { signal: controller.signal });
    setTimeout(() => controller.abort(), 0);
    return opening;
  };
  document.querySelector('#out').textContent = 'ready';`;

let opened: OpenedPage;
beforeAll(async () => {
  const body = '<label>Files <input id="files" type="file" multiple></label><p id="out">waiting</p>';
  // Without a policy, because the strict one lets the page read only its own origin.
  opened = await openFixture({ body, script: SCRIPT }, { policy: '' });
  await opened.page.locator('#out:text("ready")').waitFor();
});
afterAll(() => opened.close());

let server: FileServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});
async function serve(answer: Answer): Promise<string> {
  server = await startServer(answer);
  return server.url;
}
const call = (name: 'openUrl' | 'openFiles' | 'cancelled', url = ''): Promise<Opened> =>
  opened.page.evaluate(
    ([verb, from]) => (window as unknown as Record<string, (from: string) => Promise<Opened>>)[verb]!(from),
    [name, url] as const,
  );

const [V, D] = [512, 32];
const file = safetensors({
  first: { shape: [50_000], data: new Uint8Array(200_000) },
  'wte.weight': { shape: [V, D], data: ramp(V * D) },
  'lm_head.weight': { shape: [V, D], data: ramp(V * D, 1) },
});
const last = 1 + (3 * D - 1) / 4;
const open = { 'access-control-allow-origin': '*' };

test('files that the reader chooses are opened', async () => {
  await opened.page.locator('#files').setInputFiles([
    { name: 'model.safetensors', mimeType: '', buffer: Buffer.from(file) },
    { name: 'config.json', mimeType: '', buffer: Buffer.from('{"tie_word_embeddings":true}') },
    { name: 'vocab.json', mimeType: '', buffer: Buffer.from(utf8('{"<img src=x onerror=alert(1)>":0}')) },
  ]);
  const { tying, tokens, last: element, mode } = await call('openFiles');
  expect(tying).toMatchObject({
    tied: false,
    evidence: 'different',
    conflict: expect.stringMatching(/true, but/) as string,
  });
  expect(tokens!.slice(0, 2)).toEqual(['<img src=x onerror=alert(1)>', '']);
  expect([element, mode]).toEqual([last, 'worker']);
});

describe('a server of another origin', () => {
  test.each([
    ['hides the size', open],
    ['shows the size', { ...open, 'access-control-expose-headers': 'Content-Range, ETag' }],
  ])(
    'that sends ranges and %s gets requests for the beginning, the tables and the rows, and no preflight',
    async (_, headers) => {
      const found = await call('openUrl', await serve(sendRange(file, headers)));
      expect(found).toMatchObject({ tying: { evidence: 'different' }, last });
      // The beginning, a look at both tables, the rows from which their distance is measured (all of these), and two rows.
      expect(found.bytesRead).toBe(65_536 + 2 * 4096 + 2 * 4 * V * D + 2 * 4 * D);
      expect(server!.seen.map(({ method }) => method)).toEqual(Array(6).fill('GET'));
    },
  );

  test('that sends whole files is refused with the size', async () => {
    const { code, message } = await call('openUrl', await serve(sendWhole(file, open)));
    expect(code).toBe('unsupported');
    expect(message).toContain(`only the whole file, of ${file.length} bytes`);
  });

  test('that changes the file between two ranges is refused', async () => {
    const headers = { ...open, 'access-control-expose-headers': 'ETag' };
    const answer: Answer = (request, response, number) =>
      sendRange(file, { ...headers, etag: `"${Math.min(number, 2)}"` })(request, response, number);
    expect((await call('openUrl', await serve(answer))).message).toMatch(/has changed since it was opened/);
  });

  test('that truncates a range is asked again', async () => {
    const answer: Answer = (request, response, number) => {
      const [from, to] = rangeOf(request, file.length);
      if (number !== 1) return sendRange(file, open)(request, response, number);
      response.writeHead(206, { ...open, 'content-length': String(to - from + 1) });
      response.write(file.subarray(from, from + 9), () => response.destroy());
    };
    expect(await call('openUrl', await serve(answer))).toMatchObject({ last });
    expect(server!.seen).toHaveLength(7);
  });

  test('that never answers can be cancelled', async () => {
    const { code } = await call('cancelled', await serve(() => undefined));
    expect(code).toBe('cancelled');
  });
});

test('a server that does not let the page read is distinguished from one that does not exist', async () => {
  const url = await serve(sendRange(file));
  expect((await call('openUrl', url)).message).toMatch(/does not let other pages read it \(CORS\)/);
  await server!.close();
  expect((await call('openUrl', url)).message).toMatch(/the server cannot be reached; check the URL/);
  server = null;
});
