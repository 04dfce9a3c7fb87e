/** A choice among the points of a grid. */
import { html, type TemplateResult } from 'lit';

/** Writes { 'model.dModel': 32 } as 'model.dModel = 32'. */
export const fieldsOf = (point: Readonly<Record<string, unknown>>): string =>
  Object.entries(point)
    .map(([field, value]) => `${field} = ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

export const pointChooser = (options: {
  readonly label: string;
  /** In the form of jobs and runs. */
  readonly points: readonly Readonly<Record<string, unknown>>[];
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}): TemplateResult => html`
  <p class="chooser">
    <label class="field"
      ><span>${options.label}</span>
      <select @change=${(event: Event) => options.onChoose((event.target as HTMLSelectElement).selectedIndex)}>
        ${options.points.map((one, at) => html`<option ?selected=${at === options.chosen}>${fieldsOf(one)}</option>`)}
      </select></label
    >
  </p>
`;
