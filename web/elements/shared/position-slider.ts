import { css, html, type TemplateResult } from 'lit';

const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  Home: -Infinity,
  End: Infinity,
};

export const positionSliderStyles = css`
  .position-slider {
    touch-action: pan-y;
    cursor: pointer;
  }
`;

/** A drawing of a sequence in which the reader chooses a position, by pointer and by keyboard. */
export function positionSlider(options: {
  readonly label: string;
  /** The chosen position, from 0. */
  readonly at: number;
  readonly count: number;
  /** The chosen position in words. */
  readonly words: string;
  /** The position at a point of the drawing, given in CSS pixels from its left edge. */
  readonly positionAt: (x: number) => number;
  readonly onChoose: (at: number) => void;
  readonly drawing: TemplateResult;
}): TemplateResult {
  const { label, at, count, words, positionAt, onChoose } = options;
  const choose = (wanted: number): void => {
    const chosen = Math.max(0, Math.min(count - 1, wanted));
    if (chosen !== at) onChoose(chosen);
  };
  const onPointer = (event: PointerEvent): void => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    choose(positionAt(event.clientX - (event.currentTarget as Element).getBoundingClientRect().left));
  };
  return html`
    <div
      class="position-slider"
      role="slider"
      tabindex="0"
      aria-label=${label}
      aria-valuemin="1"
      aria-valuemax=${count}
      aria-valuenow=${at + 1}
      aria-valuetext=${words}
      @pointerdown=${onPointer}
      @pointermove=${onPointer}
      @keydown=${(event: KeyboardEvent) => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        choose(at + step);
      }}
    >
      ${options.drawing}
    </div>
  `;
}
