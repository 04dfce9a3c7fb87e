/**
 * The language of claims:
 *
 *     claim      = sum ('>' | '<' | '>=' | '<=') sum { 'in every seed' | 'above' number 'sd' | 'and' }
 *     sum        = product { ('+' | '-') product }         product = factor { ('*' | '/') factor }
 *     factor     = number | '-' factor | '(' sum ')' | 'abs' '(' sum ')' | value
 *     value      = metric '(' argument { ',' argument } ')' { '.' part }
 *     argument   = arm | arm '.' table | option '=' word | 'step' '=' (number | number '..' number | 'end')
 *                | 'layer' '=' number | 'band' '=' number
 *
 * Operators other than '/' and '*' need spaces around them, because names contain hyphens.
 */
import { shortened, TiedError } from '../runtime/errors.js';
import type { ExperimentMeasure } from './types.js';
import { nearest } from '../runtime/validate.js';
import { METRICS } from './metrics.js';

export type Relation = '>' | '<' | '>=' | '<=';

/** A measured value, as a claim names it. */
export interface Wanted {
  /** As written in the claim. */
  readonly text: string;
  readonly metric: string;
  readonly part: string;
  /** Arms, or tables of arms. */
  readonly of: readonly string[];
  /** Options of the measure, and fields of the grid. */
  readonly options: Readonly<Record<string, string>>;
  /** First and last step; null for the last one measured. */
  readonly steps: readonly [number, number] | null;
  readonly layer: number | null;
  readonly band: number | null;
}

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'value'; readonly wanted: Wanted }
  | { readonly kind: 'abs' | 'minus'; readonly of: Expression }
  | { readonly kind: '+' | '-' | '*' | '/'; readonly left: Expression; readonly right: Expression };

export interface Claim {
  readonly left: Expression;
  readonly relation: Relation;
  readonly right: Expression;
  readonly everySeed: boolean;
  /** The minimum |mean| of the difference, in standard deviations; null if none is given. */
  readonly deviations: number | null;
}

/** What a claim can name. */
export interface Known {
  readonly arms: readonly string[];
  readonly measure: readonly ExperimentMeasure[];
}

interface Token {
  readonly text: string;
  readonly at: number;
}

const TOKEN = /\s+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\.|>=|<=|[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*|[-+*/()<>=,.]/gy;

export function parseClaim(argument: string, text: string, known: Known): Claim {
  return new Parser(argument, text, known).claim();
}

/** The values that a claim names, each once. */
export function valuesNamed({ left, right }: Claim): Wanted[] {
  const found = new Map<string, Wanted>();
  const walk = (expression: Expression): void => {
    if (expression.kind === 'value') found.set(expression.wanted.text, expression.wanted);
    if ('of' in expression) walk(expression.of);
    if ('left' in expression) {
      walk(expression.left);
      walk(expression.right);
    }
  };
  walk(left);
  walk(right);
  return [...found.values()];
}

class Parser {
  readonly #argument: string;
  readonly #text: string;
  readonly #known: Known;
  readonly #tokens: Token[] = [];
  #next = 0;

  constructor(argument: string, text: string, known: Known) {
    this.#argument = argument;
    this.#text = text;
    this.#known = known;
    let at = 0;
    for (const { 0: found, index } of text.matchAll(TOKEN)) {
      at = index + found.length;
      if (found.trim() !== '') this.#tokens.push({ text: found, at: index });
    }
    if (at < text.length) this.#refuse(at, 'a name, a number or an operator');
  }

  claim(): Claim {
    const left = this.#sum();
    const relation = this.#one(['>', '<', '>=', '<=']) as Relation;
    const right = this.#sum();
    let everySeed = false;
    let deviations: number | null = null;
    while (this.#next < this.#tokens.length) {
      if (this.#takes('and')) continue;
      if (this.#takes('in')) {
        this.#one(['every']);
        this.#one(['seed']);
        everySeed = true;
      } else {
        this.#one(['above', 'in', 'and']);
        deviations = this.#number();
        this.#one(['sd']);
      }
    }
    return { left, relation, right, everySeed, deviations };
  }

  #sum(): Expression {
    let left = this.#product();
    for (;;) {
      const kind = this.#takes('+') ? '+' : this.#takes('-') ? '-' : null;
      if (kind === null) return left;
      left = { kind, left, right: this.#product() };
    }
  }

  #product(): Expression {
    let left = this.#factor();
    for (;;) {
      const kind = this.#takes('*') ? '*' : this.#takes('/') ? '/' : null;
      if (kind === null) return left;
      left = { kind, left, right: this.#factor() };
    }
  }

  #factor(): Expression {
    if (this.#takes('-')) return { kind: 'minus', of: this.#factor() };
    if (this.#takes('(')) return this.#closed();
    const { text = '' } = this.#tokens[this.#next] ?? {};
    if (/^\d/.test(text)) return { kind: 'number', value: this.#number() };
    if (this.#takes('abs')) {
      this.#one(['(']);
      return { kind: 'abs', of: this.#closed() };
    }
    return { kind: 'value', wanted: this.#value() };
  }

  #closed(): Expression {
    const inside = this.#sum();
    this.#one([')']);
    return inside;
  }

  #value(): Wanted {
    const token = this.#take('a metric, a number or (');
    const measured = [...new Set(this.#known.measure.map(({ metric }) => metric))];
    if (!measured.includes(token.text)) {
      const near = nearest(token.text, measured);
      const isMetric = token.text in METRICS;
      this.#refuse(
        token.at,
        isMetric
          ? `a metric that is in spec.measure`
          : `one of ${measured.join(', ')}${near === null ? '' : `; did you mean '${near}'?`}`,
      );
    }
    const of: string[] = [];
    const options: Record<string, string> = {};
    let [steps, layer, band]: [Wanted['steps'], number | null, number | null] = [null, null, null];
    this.#one(['(']);
    do {
      const name = this.#take('an arm, or an option');
      const words = [name.text];
      while (this.#takes('.')) words.push(this.#take('a name').text);
      if (this.#takes('=')) {
        const option = words.join('.');
        if (option === 'step') steps = this.#steps();
        else if (option === 'layer') layer = this.#number();
        else if (option === 'band') band = this.#number();
        else options[option] = this.#take('a value').text;
      } else {
        const near = nearest(words[0]!, this.#known.arms);
        if (!this.#known.arms.includes(words[0]!)) {
          this.#refuse(
            name.at,
            `one of the arms ${this.#known.arms.join(', ')}${near === null ? '' : `; did you mean '${near}'?`}`,
          );
        }
        of.push(words.join('.'));
      }
    } while (this.#takes(','));
    this.#one([')']);
    if (of.length === 0) this.#refuse(token.at, 'an arm in its parentheses');
    const part: string[] = [];
    while (this.#takes('.')) part.push(this.#take('a part of the metric').text);
    const end = this.#tokens[this.#next - 1]!;
    const text = this.#text.slice(token.at, end.at + end.text.length);
    return { text, metric: token.text, part: part.join('.'), of, options, steps, layer, band };
  }

  #steps(): Wanted['steps'] {
    if (this.#takes('end')) return null;
    const first = this.#number();
    return [first, this.#takes('..') ? this.#number() : first];
  }

  #number(): number {
    const { text, at } = this.#take('a number');
    return /^\d/.test(text) ? Number(text) : this.#refuse(at, 'a number');
  }

  #takes(text: string): boolean {
    if (this.#tokens[this.#next]?.text !== text) return false;
    this.#next++;
    return true;
  }

  #one(texts: readonly string[]): string {
    const found = texts.find((text) => this.#takes(text));
    return (
      found ??
      this.#refuse(this.#tokens[this.#next]?.at ?? this.#text.length, texts.map((text) => `'${text}'`).join(' or '))
    );
  }

  #take(expected: string): Token {
    const token = this.#tokens[this.#next] ?? this.#refuse(this.#text.length, expected);
    this.#next++;
    return token;
  }

  #refuse(at: number, expected: string): never {
    const found = at >= this.#text.length ? 'its end' : `'${shortened(this.#text.slice(at), 24)}'`;
    throw new TiedError(
      'invalid-argument',
      `${this.#argument} has ${found} at character ${at + 1}; expected ${expected}`,
    );
  }
}
