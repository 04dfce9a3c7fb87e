/** Ranges of a file at a URL that are wrong, cut off or late: what is reported, and where the next call resumes. */
import { afterEach, describe, expect, test } from 'vitest';
import { UrlSource } from '../../../web/core/checkpoint/bytes/url-source.js';
import { safetensors } from './checkpoint-files.js';
import { rangeOf, sendRange, type Answer } from './file-server.js';
import { closeServer, failure, file, FIRST, open, serve, server, small } from './url-support.js';

afterEach(closeServer);

/** A correct server whose responses after the first are changed. */
const later =
  (answer: (from: number, to: number, ...rest: Parameters<Answer>) => void): Answer =>
  (request, response, number) => {
    if (number === 0) sendRange(file)(request, response, number);
    else answer(...rangeOf(request, file.length), request, response, number);
  };
const partHead = (from: number, to: number) => ({ 'content-range': `bytes ${from}-${to}/${file.length}`, etag: '"1"' });

describe('wrong ranges', () => {
  test.each<[string, Answer, RegExp]>([
    [
      'other bytes than were asked for',
      later(
        (from, to, _, response) =>
          void response.writeHead(206, partHead(from - 1, to - 1)).end(file.subarray(from, to + 1)),
      ),
      /the server sent 'bytes \d+-\d+\/\d+'; expected bytes \d+-\d+/,
    ],
    [
      'more bytes than were asked for',
      later((from, to, _, response) => void response.writeHead(206, { etag: '"1"' }).end(file.subarray(from, to + 9))),
      /sent more bytes than requested; expected 4096/,
    ],
    [
      'another version',
      later(
        (from, to, _, response) =>
          void response.writeHead(206, { ...partHead(from, to), etag: '"2"' }).end(file.subarray(from, to + 1)),
      ),
      /the file on the server has changed since it was opened; open it again/,
    ],
    [
      'another size',
      later(
        (from, to, _, response) =>
          void response
            .writeHead(206, { 'content-range': `bytes ${from}-${to}/9999999` })
            .end(file.subarray(from, to + 1)),
      ),
      /has changed since it was opened/,
    ],
    [
      'the whole file',
      later((_from, _to, _, response) => void response.writeHead(200, { 'content-length': '7' }).end('nothing')),
      /the server sends no ranges/,
    ],
    [
      'a size that cannot be',
      (_, response) =>
        void response.writeHead(206, { 'content-range': 'bytes 0-65535/10' }).end(new Uint8Array(65_536)),
      /reports a file of 10 bytes, but sent byte 65535/,
    ],
  ])('%s', async (_, answer, message) => {
    const error = await failure(answer);
    expect(error.message).toMatch(message);
    // The beginning and the first samples of two tables: nothing is requested again.
    expect(server!.seen.length).toBeLessThanOrEqual(3);
    expect(server!.asked()).toBeLessThanOrEqual(FIRST + 2 * 4096);
  });

  test('a range that is cut off is resumed where it ended', async () => {
    const ranges: [number, number][] = [];
    const answer = later((from, to, _, response) => {
      ranges.push([from, to]);
      const half = Math.max(1, Math.floor((to - from + 1) / 2));
      response.writeHead(206, { ...partHead(from, to), 'content-length': String(to - from + 1) });
      if (ranges.length % 2 === 1) response.write(file.subarray(from, from + half), () => response.destroy());
      else response.end(file.subarray(from, to + 1));
    });
    const source = await UrlSource.open(await serve(answer));
    const [from, length] = [100_000, 60_000];
    expect(await source.read(from, length)).toEqual(file.slice(from, from + length));
    expect(ranges[0]).toEqual([100_000, 159_999]);
    expect(ranges[1]![0]).toBeGreaterThan(100_000);
    expect(ranges[1]![1]).toBe(159_999);
    // No byte was sent twice.
    expect(source.bytesRead).toBe(FIRST + length);
  });

  test('a server that sends half of each range is asked for the rest, and no byte is sent twice', async () => {
    const answer = later((from, to, _, response) => {
      const half = from + Math.max(1, Math.floor((to - from + 1) / 2));
      response.writeHead(206, partHead(from, to)).end(file.subarray(from, half));
    });
    const source = await UrlSource.open(await serve(answer));
    const [from, length] = [100_000, 40_000];
    expect(await source.read(from, length)).toEqual(file.slice(from, from + length));
    expect(source.bytesRead).toBe(FIRST + length);
    // Each range begins where the previous one ended.
    const begins = server!.seen.slice(1).map(({ range }) => Number(/\d+/.exec(range!)![0]));
    expect(begins.slice(0, 3)).toEqual([100_000, 120_000, 130_000]);
  });

  test('a file that changes while a range is cut off is refused, so two versions are never combined', async () => {
    const url = await serve(
      later((from, to, _request, response, number) => {
        response.writeHead(206, { ...partHead(from, to), etag: number === 1 ? '"1"' : '"2"' });
        if (number === 1) response.write(file.subarray(from, from + 500), () => response.destroy());
        else response.end(file.subarray(from, to + 1));
      }),
    );
    const source = await UrlSource.open(url);
    await expect(source.read(100_000, 2000)).rejects.toMatchObject({
      code: 'bad-file',
      message: `${url}: the file on the server has changed since it was opened; open it again`,
    });
  });

  test('a server that stalls within a later range is reported, and the same call resumes', async () => {
    const state = { stalls: true };
    const url = await serve(
      later((from, to, request, response, number) => {
        if (!state.stalls) return sendRange(file)(request, response, number);
        response.writeHead(206, partHead(from, to));
        response.write(file.subarray(from, from + 10));
      }),
    );
    // Long enough for the responses that do arrive, on any machine.
    const source = await UrlSource.open(url, { silenceMs: 3000 });
    await expect(source.read(100_000, 2000)).rejects.toThrow('the server has sent nothing for 3 seconds');
    state.stalls = false;
    expect(await source.read(100_000, 2000)).toEqual(file.slice(100_000, 102_000));
  });

  test('a server that ends every range without a byte is abandoned after three', async () => {
    const url = await serve(
      later((from, to, _, response) => {
        response.writeHead(206, { ...partHead(from, to), 'content-length': String(to - from + 1) });
        response.flushHeaders();
        response.destroy();
      }),
    );
    const source = await UrlSource.open(url);
    await expect(source.read(100_000, 50)).rejects.toMatchObject({
      code: 'unreachable',
      message: `${url}: the transfer ended at byte 100000 of ${file.length}; try again`,
    });
    expect(server!.seen).toHaveLength(4);
  });

  test('after a failure, the same call reads only what is missing', async () => {
    const table = safetensors({ 'wte.weight': { shape: [3000, 1024], data: new Uint8Array(4 * 3000 * 1024) } });
    const broken = { is: false };
    const url = await serve((request, response, number) => {
      if (broken.is && rangeOf(request, table.length)[0] > 4_000_000) response.writeHead(503).end();
      else sendRange(table)(request, response, number);
    });
    const checkpoint = await open(url);
    broken.is = true;
    await expect(checkpoint.matrix('input')).rejects.toThrow('status 503');
    broken.is = false;
    const before = checkpoint.bytesRead;
    expect((await checkpoint.matrix('input')).rows).toBe(3000);
    expect(checkpoint.bytesRead - before).toBeLessThan(table.length - 4_000_000);
    // The beginning was sent once, with the header.
    expect(checkpoint.bytesRead).toBe(table.length);
  });
});

describe('a silent server', () => {
  test.each<[string, Answer]>([
    ['before its answer', () => undefined],
    [
      'within its answer',
      (_, response) => {
        response.writeHead(206, { 'content-range': `bytes 0-65535/${file.length}` });
        response.write(file.subarray(0, 100));
      },
    ],
  ])('%s is reported after the silence limit', async (_, answer) => {
    const error = await failure(answer, { silenceSeconds: 0.05 });
    expect(error).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/the server has sent nothing for 0.05 seconds; try again/) as string,
    });
  });

  test('is waited for as long as bytes arrive', async () => {
    const checkpoint = await open(
      await serve((_, response) => {
        response.writeHead(206, { 'content-range': `bytes 0-${small.length - 1}/${small.length}` });
        let at = 0;
        const send = (): void => {
          response.write(small.subarray(at, at + 20));
          at += 20;
          if (at < small.length) setTimeout(send, 5);
          else response.end();
        };
        send();
      }),
      { silenceSeconds: 30 },
    );
    expect(checkpoint.bytesRead).toBe(small.length);
  });

  test('a cancel ends the wait, and the request', async () => {
    const controller = new AbortController();
    let closed: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (closed = resolve));
    const url = await serve((request) => {
      request.on('close', closed);
      // Only now is the call waiting.
      controller.abort('enough');
    });
    const error = await open(url, { signal: controller.signal }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'cancelled', name: 'AbortError', cause: 'enough' });
    await ended;
  });
});
