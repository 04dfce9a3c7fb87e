/** The end of a stream: writes the parts of a file that a worker makes, each once the one before it has been written. */
import { invalidArgument } from '../core/runtime/errors.js';

export interface StreamedParts {
  /** For whoever makes the file: gets a message after each part that it sends. */
  readonly port: MessagePort;
  /** Written so far. */
  readonly bytes: number;
  /** The stream is free for others again. */
  end(): void;
}

/** `failed`: called with what the stream fails with. */
export function partsTo(to: unknown, failed: (error: unknown) => void): StreamedParts {
  let writer: WritableStreamDefaultWriter<Uint8Array>;
  try {
    writer = WritableStream.prototype.getWriter.call(to);
  } catch {
    throw invalidArgument('options.to', to, 'a WritableStream that nobody else writes to');
  }
  const { port1, port2 } = new MessageChannel();
  let bytes = 0;
  const write = async (part: Uint8Array): Promise<void> => {
    const { length } = part;
    try {
      await writer.write(part);
      bytes += length;
      port1.postMessage(null);
    } catch (error) {
      failed(error);
    }
  };
  port1.onmessage = ({ data }: MessageEvent<Uint8Array>) => void write(data);
  return {
    port: port2,
    get bytes() {
      return bytes;
    },
    end() {
      port1.onmessage = null;
      port1.close();
      writer.releaseLock();
    },
  };
}
