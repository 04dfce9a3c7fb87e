import { describe, expect, it } from 'vitest';
import type { ImportedModel } from '../../../web/core/accounting/types.js';
import { architectureStrings as texts } from '../../../web/elements/shared/architecture/architecture.strings.js';
import { ConfigReader } from '../../../web/elements/shared/architecture/config-reader.js';
import { hostOfTests, settled, type HostOfTests } from './host.js';

const imported = (name: string): ImportedModel => ({
  name,
  architecture: { family: 'gpt-2', vocabSize: 10, dModel: 8, nLayers: 1 },
  tying: 'tied',
  assumptions: [],
});
/** The text of a file is the model's name. */
const importConfig = (text: string): Promise<ImportedModel> =>
  text === 'bad' ? Promise.reject(new Error('config.json: bad')) : Promise.resolve(imported(text));

/** A file whose text arrives on release. */
function slowFile(text: string): { file: File; release: () => void; fail: () => void } {
  const file = new File([text], `${text}.json`);
  let release = (): void => undefined;
  let fail = (): void => undefined;
  const read = new Promise<string>((resolve, reject) => {
    release = () => {
      resolve(text);
    };
    fail = () => {
      reject(new Error('gone'));
    };
  });
  file.text = () => read;
  return { file, release, fail };
}

function reader(): { reader: ConfigReader; read: string[]; host: HostOfTests } {
  const read: string[] = [];
  const host = hostOfTests();
  return { reader: new ConfigReader(host, ({ name }) => read.push(name ?? '')), read, host };
}

describe('when configurations are dropped one after the other', () => {
  it('the last one counts, although an earlier file takes longer to read', async () => {
    const { reader: config, read } = reader();
    const slow = slowFile('slow');
    const first = config.read([slow.file], importConfig, texts);
    await config.read([new File(['fast'], 'fast.json')], importConfig, texts);
    slow.release();
    await first;
    expect(read).toEqual(['fast']);
    expect(config.model?.name).toBe('fast');
    expect(config.busy).toBe(false);
  });

  it('an earlier one that cannot be read or is refused leaves no problem behind', async () => {
    for (const name of ['gone', 'bad']) {
      const { reader: config, read } = reader();
      const slow = slowFile(name);
      const first = config.read([slow.file], importConfig, texts);
      await config.read('pasted', importConfig, texts);
      if (name === 'gone') slow.fail();
      else slow.release();
      await first;
      expect(read).toEqual(['pasted']);
      expect(config.problem).toBeNull();
    }
  });

  it('a later one that is refused at once decides the message', async () => {
    const { reader: config, read } = reader();
    const slow = slowFile('slow');
    const first = config.read([slow.file], importConfig, texts);
    await config.read([], importConfig, texts);
    slow.release();
    await first;
    expect(config.problem).toBe(texts.notFiles);
    expect(read).toEqual([]);
  });

  it('none is used after the element is removed', async () => {
    const { reader: config, read, host } = reader();
    const slow = slowFile('slow');
    const first = config.read([slow.file], importConfig, texts);
    host.remove();
    await settled();
    slow.release();
    await first;
    expect(read).toEqual([]);
    expect(config.busy).toBe(false);
  });
});
