// Where the command writes: through links, never in place of what is no file, and never without end.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodes, Refusal } from '../../../command/exit-codes.mjs';
import { checkWritable, readText, writeInParts, writeWhole } from '../../../command/files.mjs';
import { main } from '../../../command/main.mjs';
import { ownFolder, runWhole } from './run-check.js';

const { folder, put } = ownFolder();

const WRITERS = {
  writeWhole: async (file: string) => writeWhole(file, 'new'),
  writeInParts: (file: string) =>
    writeInParts(file, async (to) => {
      const writer = to.getWriter();
      await writer.write(new TextEncoder().encode('new'));
      await writer.close();
    }),
};

/** What the command says, and the exit code. */
async function refusalOf(work: () => unknown): Promise<{ message: string; exitCode: number }> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refusal) return { message: error.message, exitCode: error.exitCode };
    throw error;
  }
  throw new Error('was not refused');
}

describe.each(Object.entries(WRITERS))('%s', (name, write) => {
  const own = (file: string): string => join(folder, name, file);

  test('makes the folders of a file, and leaves nothing else in them', async () => {
    await write(own('a/b/c.tied'));
    expect(readFileSync(own('a/b/c.tied'), 'utf8')).toBe('new');
    expect(readdirSync(own('a/b'))).toEqual(['c.tied']);
  });

  test('writes through a link, which stays one', async () => {
    const target = put(`${name}/disk/model.tied`, 'old');
    symlinkSync(target, own('link.tied'));
    await write(own('link.tied'));
    expect(lstatSync(own('link.tied')).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('new');
  });

  test('refuses a pipe, which stays one', async () => {
    mkdirSync(own(''), { recursive: true });
    const pipe = own('pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const refused = {
      message: `${pipe} cannot be written: it is a device or a pipe; expected a file, or a name that nothing has`,
      exitCode: exitCodes.cannotWrite,
    };
    expect(await refusalOf(() => checkWritable(pipe))).toEqual(refused);
    expect(await refusalOf(() => write(pipe))).toEqual(refused);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test('refuses a folder, and a file as a folder', async () => {
    mkdirSync(own('full'), { recursive: true });
    expect((await refusalOf(() => write(own('full')))).message).toMatch(/EISDIR, it is a directory$/);
    put(`${name}/file`, 'x');
    expect((await refusalOf(() => write(own('file/x.tied')))).message).toMatch(/ENOTDIR, a part of its path/);
  });

  // Node's mkdir tries for ever to make the folders of such a path.
  test.runIf(existsSync('/proc/self'))('refuses a path in /proc', async () => {
    const file = '/proc/no/such/model.tied';
    expect(await refusalOf(() => write(file))).toEqual({
      message: `${file} cannot be written: ENOENT, no file can be made there`,
      exitCode: exitCodes.cannotWrite,
    });
  });
});

test('a text in UTF-16 is called that', async () => {
  const utf16 = Buffer.from('\uFEFFhello', 'utf16le');
  const [little, big] = [put('little.txt', utf16), put('big.txt', Buffer.from(utf16).swap16())];
  for (const file of [little, big]) {
    expect((await refusalOf(() => readText(file))).message).toBe(
      `${file} is UTF-16; expected UTF-8, which editors can save it as`,
    );
  }
  const wrong = join(folder, 'wrong.txt');
  writeFileSync(wrong, Uint8Array.of(0x61, 0xff));
  expect((await refusalOf(() => readText(wrong))).message).toBe(
    `${wrong} is not UTF-8: byte 1 does not begin a character`,
  );
});

test('count names a file that is no config.json once', async () => {
  const file = put('poem.txt', 'roses are red');
  const { code, err } = await runWhole(main, 'count', file);
  expect({ code, err }).toEqual({
    code: 64,
    err: `tied-embeddings: ${file}: it is not JSON, or only a part of it; expected the whole file, from { to }\n`,
  });
});
