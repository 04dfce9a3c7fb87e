import type { PartId } from './lit.js';

/** A part as the build's table of parts has it (build/transformer-parts.mjs). */
export interface Part {
  readonly id: Exclude<PartId, 'tie'>;
  /** 'Input embedding' with its symbol, as nodes of that table. */
  readonly name: HTMLElement;
  readonly shape: string;
  /** '38,597,376', 'none', '589,824 more'. */
  readonly parameters: string;
}

const textOf = (element: Element | undefined): string => element?.textContent?.trim() ?? '';

export function readParts(table: ParentNode): Part[] {
  return [...table.querySelectorAll<HTMLElement>('tr[data-part]')].map((row) => {
    const [name, shape, parameters] = row.children;
    return {
      id: row.dataset['part'] as Part['id'],
      name: name as HTMLElement,
      shape: textOf(shape).replace(', not in GPT-2', ''),
      parameters: textOf(parameters),
    };
  });
}

/** The count in front of a text such as '589,824 more'; 0 for 'none'. */
export const countOf = (parameters: string): number => Number(/^[\d,]+/.exec(parameters)?.[0].replaceAll(',', '') ?? 0);

/** Shares of the parameters that the model has; parts that it lacks are not counted. */
export function sharesOf(parts: readonly Pick<Part, 'id' | 'parameters'>[]): Map<PartId, number> {
  const own = parts.filter(({ id }) => id !== 'map' && id !== 'encoder');
  const total = own.reduce((sum, { parameters }) => sum + countOf(parameters), 0);
  return new Map(own.map(({ id, parameters }) => [id, countOf(parameters) / total]));
}
