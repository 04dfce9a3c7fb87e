/** Writes a file where only workers may write, as in Safari before version 26. */
import { trusted } from '../../../worker/trusted-url.js';

/** What a file is written with. After `abort`, or without `close`, it counts as not written. */
export interface FileWriter {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** The worker's whole script. It answers each message in turn; what it writes is complete once it has answered `close`. */
const script = `
let file;
const steps = {
  open: async ([folder, name]) => {
    const root = await navigator.storage.getDirectory();
    const handle = await (await root.getDirectoryHandle(folder)).getFileHandle(name, { create: true });
    file = await handle.createSyncAccessHandle();
    await file.truncate(0);
  },
  write: (bytes) => {
    const written = file.write(bytes, { at: steps.end });
    if (written !== bytes.length) throw new DOMException('', 'QuotaExceededError');
    steps.end += written;
  },
  close: async () => {
    await file.flush();
    await file.close();
  },
  end: 0,
};
let turn = Promise.resolve();
onmessage = ({ data: [step, value] }) => {
  turn = turn.then(() => steps[step](value)).then(() => postMessage(null), ({ name }) => postMessage(name));
};
`;

export async function writerInWorker(folder: string, name: string): Promise<FileWriter> {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new Worker(trusted(url));
  const ask = (step: string, value?: unknown, transfer: Transferable[] = []): Promise<void> =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<string | null>) =>
        data === null ? resolve() : reject(new DOMException('', data));
      worker.onerror = () => reject(new DOMException('', 'NotSupportedError'));
      worker.postMessage([step, value], transfer);
    });
  const end = (): void => {
    worker.terminate();
    URL.revokeObjectURL(url);
  };
  const ended = async (step: Promise<void>): Promise<void> => {
    try {
      await step;
    } finally {
      end();
    }
  };
  try {
    await ask('open', [folder, name]);
  } catch (error) {
    end();
    throw error;
  }
  return {
    write: (bytes) => {
      const copy = bytes.slice();
      return ask('write', copy, [copy.buffer]);
    },
    close: () => ended(ask('close')),
    abort: () => {
      end();
      return Promise.resolve();
    },
  };
}
