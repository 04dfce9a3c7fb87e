/** Bytes that scripts hold as text: gzipped, then base64, which halves what a page downloads and what npm unpacks. */

/** The bytes of such a text. Rejects if it is damaged. */
export async function inflate(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const written = writer.write(bytesOf(text)).then(() => writer.close());
  const [bytes] = await Promise.all([collect(readable), written]);
  return bytes;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
  }
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
