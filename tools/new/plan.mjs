// What a new thing adds to the project: files, and lines in lists. All of it is worked out before anything is written.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../lib/root.mjs';
import { SetupProblem } from '../lib/steps.mjs';
import { toolchain } from '../setup/paths.mjs';

const templates = join(import.meta.dirname, 'templates');

/** The text of a template, with the forms of the name in place of {{kebab}}, {{Class}} and so on. */
export function fromTemplate(path, names) {
  return readFileSync(join(templates, path), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, form) => {
    if (!(form in names)) throw new Error(`${path} has {{${form}}}; expected one of ${Object.keys(names).join(', ')}`);
    return names[form];
  });
}

async function formatted(path, text) {
  if (/\.(cpp|h)$/.test(path)) {
    const { clangFormat } = toolchain();
    return execFileSync(clangFormat, [`--style=file:${join(root, '.clang-format')}`, `--assume-filename=${path}`], {
      input: text,
      encoding: 'utf8',
    });
  }
  // What the build prints has one entry a line.
  if (!/\.(ts|mjs|md)$/.test(path) || path.includes('/generated/')) return text;
  const { format, resolveConfig } = await import('prettier');
  return format(text, { ...(await resolveConfig(join(root, path))), filepath: path });
}

export class Plan {
  #folder;
  #texts = new Map();
  created = [];
  edited = [];
  /** What the tool leaves to the author, beyond the lines marked "Fill in". */
  next;

  constructor(folder, next = []) {
    this.#folder = folder;
    this.next = next;
  }

  /** Refuses a name if a file has one of these texts, which declare it. */
  refuseName(name, path, texts) {
    const whole = readFileSync(join(this.#folder, path), 'utf8');
    if (texts.some((text) => whole.includes(text))) {
      throw new SetupProblem(`${path} declares ${name}; expected a new name. Nothing was written.`);
    }
  }

  create(path, text) {
    if (existsSync(join(this.#folder, path)) || this.#texts.has(path)) {
      throw new SetupProblem(`${path} exists; expected a new name. Nothing was written.`);
    }
    this.#texts.set(path, text);
    this.created.push(path);
  }

  /** `change` gets the whole text of a file and returns the new one. */
  edit(path, change) {
    const before = this.#texts.get(path) ?? readFileSync(join(this.#folder, path), 'utf8');
    const after = change(before);
    if (after === before) throw new Error(`${path} was not changed`);
    this.#texts.set(path, after);
    if (!this.edited.includes(path)) this.edited.push(path);
  }

  /**
   * Adds a line to a list whose lines match `like`: before the first one that sorts after it, or after the last. `within`: the list
   * is the first of such lines after this text.
   */
  listLine(path, line, like, { within = '' } = {}) {
    this.edit(path, (text) => {
      const start = text.indexOf(within);
      const lines = text.split('\n');
      const from = start < 0 ? lines.length : text.slice(0, start).split('\n').length - 1;
      let first = -1;
      let last = -1;
      for (let at = from; at < lines.length; at++) {
        if (like.test(lines[at])) {
          if (first < 0) first = at;
          last = at;
          // Another list of the same kind may follow.
        } else if (first >= 0 && within !== '') break;
      }
      if (first < 0 || start < 0) throw new Error(`${path} has no list for ${line.trim()}; tools/new must follow it`);
      const siblings = lines.slice(first, last + 1);
      if (siblings.includes(line))
        throw new SetupProblem(`${path} has ${line.trim()}; expected a new name. Nothing was written.`);
      const after = siblings.findIndex((other) => like.test(other) && other > line);
      lines.splice(after < 0 ? last + 1 : first + after, 0, line);
      return lines.join('\n');
    });
  }

  /** Puts `text` before the first `anchor` after `within`. */
  insertBefore(path, anchor, text, within = '') {
    this.edit(path, (whole) => {
      const start = whole.indexOf(within);
      const at = start < 0 ? -1 : whole.indexOf(anchor, start);
      if (at < 0) throw new Error(`${path} has no ${anchor.trim()}; tools/new must follow it`);
      return whole.slice(0, at) + text + whole.slice(at);
    });
  }

  async format() {
    for (const [path, text] of this.#texts) this.#texts.set(path, await formatted(path, text));
    return this;
  }

  /** The marks that the author replaces: [path, line, what to do]. */
  get marks() {
    return [...this.#texts].flatMap(([path, text]) =>
      text.split('\n').flatMap((line, at) => {
        const [, what] = /Fill in: (.*?)( \*\/| -->)?$/.exec(line) ?? [];
        return what === undefined ? [] : [[path, at + 1, what]];
      }),
    );
  }

  textOf(path) {
    return this.#texts.get(path);
  }

  write() {
    for (const [path, text] of this.#texts) {
      const file = join(this.#folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}
