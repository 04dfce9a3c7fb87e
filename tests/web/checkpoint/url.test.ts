/** Checkpoints at URLs: what a correct server sends, byte by byte, and what is reported about all others. */
import { afterEach, describe, expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { utf8 } from './checkpoint-files.js';
import { rangeOf, sendRange, sendWhole, type Answer } from './file-server.js';
import { closeServer, D, failure, file, FIRST, open, row, serve, server, small, V } from './url-support.js';

afterEach(closeServer);

/** The beginning with the header, the first look at both tables, and the rows from which their distance is measured: all of these. */
const OPENED = FIRST + 2 * 4096 + 2 * V * row;

describe('a server with ranges', () => {
  test('sends the beginning, and then only the bytes of the rows', async () => {
    const checkpoint = await open(await serve(sendRange(file)));
    expect(checkpoint.bytesRead).toBe(OPENED);
    await checkpoint.matrix('output', { rows: { from: 7, to: 10 } });
    expect(checkpoint.bytesRead).toBe(OPENED + 3 * row);
    const { data } = await checkpoint.matrix('input', { rows: Uint32Array.of(3) });
    expect([...data]).toEqual(Array.from({ length: D }, (_, i) => (3 * D + i) / 4));
    expect(server!.seen.every(({ method, range }) => method === 'GET' && /^bytes=\d+-\d+$/.test(range!))).toBe(true);
    expect(server!.seen.at(-1)!.range).toMatch(/^bytes=\d+-\d+$/);
    expect(server!.seen[0]!.headers.cookie).toBeUndefined();
  });

  test('needs one request for a file that is shorter than the first request', async () => {
    const checkpoint = await open(await serve(sendRange(small)));
    expect((await checkpoint.matrix('input')).data).toHaveLength(8);
    expect(checkpoint.bytesRead).toBe(small.length);
    expect(server!.seen).toHaveLength(1);
  });

  test('may hide the size of the file, which follows from the header', async () => {
    const hidden: Answer = (request, response) => {
      const [from, to] = rangeOf(request, file.length);
      response.writeHead(206).end(file.subarray(from, to + 1));
    };
    const checkpoint = await open(await serve(hidden));
    expect(checkpoint.bytesRead).toBe(OPENED);
    expect((await checkpoint.matrix('output', { rows: { from: V - 1, to: V } })).data.at(-1)).toBe(1 + (V * D - 1) / 4);
  });

  test('may redirect', async () => {
    const checkpoint = await open(
      await serve((request, response, number) => {
        if (request.url === '/model.safetensors') response.writeHead(302, { location: '/storage?signature=1' }).end();
        else sendRange(file)(request, response, number);
      }),
    );
    expect(checkpoint.tying.evidence).toBe('different');
    expect(checkpoint.bytesRead).toBe(OPENED);
    // Each request comes after its redirect.
    const ranges = server!.seen.map(({ range }) => range);
    expect(new Set(ranges).size).toBe(5);
    expect(ranges).toHaveLength(2 * 5);
  });

  test('sends config.json and tokens beside the file on request', async () => {
    const answer: Answer = (request, response, number) => {
      if (request.url === '/config.json') sendRange(utf8('{"tie_word_embeddings":false}'))(request, response, number);
      else if (request.url === '/vocab.json') sendRange(utf8('{"a":0,"b":1,"c":2,"d":3}'))(request, response, number);
      else if (request.url === '/model.safetensors') sendRange(small)(request, response, number);
      else response.writeHead(404).end();
    };
    const url = await serve(answer);
    const checkpoint = await open(url, { beside: true });
    expect(checkpoint.tokens).toEqual(['a', 'b', 'c', 'd']);
    expect(checkpoint.tying.conflict).toMatch(/tie_word_embeddings: false, but the file names one table as both/);
    expect(checkpoint.bytesRead).toBe(small.length + 29 + 25);
    const before = server!.seen.length;
    expect((await open(url)).tokens).toBeNull();
    expect(server!.seen.length).toBe(before + 1);
  });
});

describe('a server without ranges', () => {
  test('is refused with the size, and little of the file is read', async () => {
    const url = await serve(sendWhole(file));
    const error = await open(url).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 'unsupported',
      message: `${url}: the server sends no ranges, only the whole file, of ${file.length} bytes; expected a server with ranges, wholeFile: true, or the file itself`,
    });
    expect(server!.seen).toHaveLength(1);
    expect(server!.asked()).toBe(FIRST);
  });

  test('is refused before much of a large file has arrived', async () => {
    const [size, piece] = [2 ** 30, new Uint8Array(65_536)];
    let sent = 0;
    let ended: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (ended = resolve));
    const error = await failure((_, response) => {
      response.on('close', ended);
      response.writeHead(200, { 'content-length': String(size) });
      const send = (): void => {
        while (!response.destroyed && sent < size) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once('drain', send);
        }
      };
      send();
    });
    expect(error.message).toContain(`only the whole file, of ${size} bytes`);
    // The connection is closed; what was in transit is in the buffers of both ends.
    await closed;
    expect(sent).toBeLessThan(2 ** 25);
  });

  test('is refused if it does not report the size', async () => {
    const error = await failure((_, response) => {
      response.writeHead(200);
      response.write(file);
      response.end();
    });
    expect(error.message).toMatch(/only the whole file, of unknown size/);
    expect(server!.asked()).toBe(FIRST);
  });

  test('sends the whole file on request, with progress', async () => {
    const progress: number[] = [];
    const checkpoint = await open(await serve(sendWhole(file)), {
      wholeFile: true,
      onProgress: (share) => progress.push(share),
    });
    expect((await checkpoint.matrix('output')).data[0]).toBe(1);
    expect(checkpoint.bytesRead).toBe(file.length);
    expect(server!.seen).toHaveLength(1);
    expect(progress.at(-1)).toBe(1);
  });

  test('may send a file that is no longer than the requested range', async () => {
    const checkpoint = await open(await serve(sendWhole(small)));
    expect(checkpoint.bytesRead).toBe(small.length);
  });

  test('is refused if its file is cut off in transit', async () => {
    const error = await failure(
      (_, response) => {
        response.writeHead(200, { 'content-length': String(file.length) });
        response.write(file.subarray(0, 1000), () => response.destroy());
      },
      { wholeFile: true },
    );
    expect(error).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/the transfer ended at byte \d+/) as string,
    });
    expect(server!.seen).toHaveLength(1);
  });
});

describe('a file that is read whole', () => {
  const row = `${'0.25,'.repeat(63)}0.5\n`;
  const table = utf8(row.repeat(13_000));
  const weights = utf8(
    JSON.stringify({ wte: Array.from({ length: 13_000 }, () => new Array<number>(64).fill(0.125)) }),
  );

  test.each([
    ['a table as text', table],
    ['JSON', weights],
  ])('is reported with its size before it is downloaded: %s', async (format, bytes) => {
    expect(bytes.length).toBeGreaterThan(4_000_000);
    const url = (await serve(sendRange(bytes))).replace('.safetensors', '.txt');
    const error = await open(url).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 'unsupported',
      message: `${url}: it is ${format} of ${bytes.length} bytes, which can only be read whole; expected wholeFile: true, or the file itself`,
      details: { wholeFile: { bytes: bytes.length } },
    });
    expect(server!.asked()).toBe(FIRST);
    const checkpoint = await open(url, { wholeFile: true });
    expect((await checkpoint.matrix('input')).rows).toBe(13_000);
    expect(checkpoint.bytesRead).toBeLessThan(bytes.length + 2 * FIRST);
  });
});

describe('a URL that is not a file', () => {
  const pointer = utf8('version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 548105171\n');
  test.each<[string, Answer, RegExp]>([
    ['a pointer, in parts', sendRange(pointer), /a Git LFS pointer, which stands for the real file of 548105171 bytes/],
    ['a pointer, whole', sendWhole(pointer), /a Git LFS pointer/],
    [
      'a page',
      sendWhole(utf8(`<!DOCTYPE html><html>${' '.repeat(99_999)}`)),
      /it is a web page; expected the file itself/,
    ],
    [
      'a page by its type',
      sendWhole(utf8('  Please log in'), { 'content-type': 'text/html; charset=utf-8' }),
      /it is a web page/,
    ],
    [
      'a compressed answer',
      sendWhole(gzipSync(small), { 'content-encoding': 'gzip' }),
      /the server compresses it \(gzip\)/,
    ],
    [
      'a compressed part',
      sendRange(gzipSync(file), { 'content-encoding': 'gzip' }),
      /the server compresses it \(gzip\)/,
    ],
    [
      'no such file',
      (_, response) => void response.writeHead(404).end('not found'),
      /there is no such file \(status 404\)/,
    ],
    [
      'a file for which one needs an account',
      (_, response) => void response.writeHead(401).end(),
      /the file needs an account; download it and choose the file \(status 401\)/,
    ],
    [
      'too many requests',
      (_, response) => void response.writeHead(429).end(),
      /is refusing further requests for now \(status 429\)/,
    ],
    ['a fault', (_, response) => void response.writeHead(503).end(), /the server has an error \(status 503\)/],
    ['nothing', sendRange(new Uint8Array()), /the file is empty, or shorter than it was \(status 416\)/],
    [
      'a redirect to itself',
      (request, response) => void response.writeHead(302, { location: request.url! }).end(),
      /cannot be reached \(redirect count exceeded\)/,
    ],
  ])('%s', async (what, answer, message) => {
    expect((await failure(answer)).message).toMatch(message);
    // One response is enough; fetch follows 20 redirects.
    if (what.startsWith('a redirect')) {
      expect(server!.seen.length).toBeLessThanOrEqual(42);
    } else {
      expect(server!.seen).toHaveLength(1);
      expect(server!.asked()).toBe(FIRST);
    }
  });

  test('without a server is refused', async () => {
    const url = await serve(sendRange(small));
    await server!.close();
    await expect(open(url)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/cannot be reached \(ECONNREFUSED\)/) as string,
    });
  });
});

describe('a browser that refuses', () => {
  const outside = globalThis as { location?: unknown };
  afterEach(() => void delete outside.location);
  const refusing =
    (answers: boolean) =>
    (_: string, { mode }: RequestInit) =>
      mode === 'no-cors' && answers
        ? Promise.resolve(new Response())
        : Promise.reject(new TypeError('Failed to fetch'));
  const said = async (url: string, answers: boolean): Promise<unknown> =>
    open(url, {}, { fetch: refusing(answers) }).catch((e: unknown) => e);

  test('because of CORS is recognized by a second request', async () => {
    outside.location = { protocol: 'https:', origin: 'https://page.example', href: 'https://page.example/' };
    expect(await said('https://files.example/a', true)).toMatchObject({
      code: 'unreachable',
      message:
        'https://files.example/a: the server does not let other pages read it (CORS); download the file and choose it',
    });
    expect(await said('https://files.example/a', false)).toMatchObject({
      message: expect.stringMatching(/cannot be reached; check the URL/) as string,
    });
    expect(await said('http://files.example/a', true)).toMatchObject({
      message: expect.stringMatching(/a page loaded over https: may not read http:/) as string,
    });
  });
});
