/** A server of one file that can be slow, wrong or hostile, and counts what it sends. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  range: string | undefined;
  method: string;
  headers: IncomingMessage['headers'];
}

export interface FileServer {
  readonly url: string;
  readonly seen: Seen[];
  /** The number of requested bytes; NaN if a request was for a whole file. */
  asked(): number;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse, number: number) => void;

/** `number` of the request, from 0. */
export async function startServer(answer: Answer): Promise<FileServer> {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    seen.push({ range: request.headers.range, method: request.method ?? '', headers: request.headers });
    answer(request, response, seen.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/model.safetensors`,
    seen,
    asked: () => seen.reduce((sum, { range }) => sum + lengthOf(range), 0),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function lengthOf(range: string | undefined): number {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  return Number(to) - Number(from) + 1;
}

export function rangeOf(request: IncomingMessage, size: number): [from: number, to: number] {
  const found = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  if (!found) throw new Error(`the range is ${request.headers.range}`);
  return [Number(found[1]), Math.min(size - 1, Number(found[2]))];
}

/** Answers like a correct server. */
export function sendRange(file: Uint8Array, more: Record<string, string> = {}): Answer {
  return (request, response, number) => {
    if (request.headers.range === undefined) return sendWhole(file, more)(request, response, number);
    const [from, to] = rangeOf(request, file.length);
    if (from >= file.length) {
      response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
      return;
    }
    response.writeHead(206, {
      'content-range': `bytes ${from}-${to}/${file.length}`,
      'content-length': String(to - from + 1),
      etag: '"1"',
      ...more,
    });
    response.end(file.subarray(from, to + 1));
  };
}

/** Answers like a server without ranges. */
export const sendWhole =
  (file: Uint8Array, more: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-length': String(file.length), ...more }).end(file);
  };
