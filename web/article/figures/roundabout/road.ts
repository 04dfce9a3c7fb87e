import type { Step } from './walk.js';

/** A drawn chain: its places and roads are those of the page's drawing (`build/flow-drawing.mjs`). */

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The fraction of a step in which the walk stands still; then the dot runs, slowly at both ends. */
const standing = 0.3;
/** Where a word repeats itself, the dot jumps out of its circle, so high above the center. */
const jump = 58;

const eased = (way: number): number => way * way * (3 - 2 * way);

export class Roads {
  readonly #nodes: readonly SVGCircleElement[];
  readonly #roads: readonly SVGPathElement[];
  readonly #dot: SVGCircleElement;

  constructor(drawing: SVGSVGElement) {
    this.#nodes = [...drawing.querySelectorAll<SVGCircleElement>('.node')];
    this.#roads = [...drawing.querySelectorAll<SVGPathElement>('.flow')];
    this.#dot = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    this.#dot.setAttribute('class', 'walker');
    this.#dot.setAttribute('r', '12');
    drawing.append(this.#dot);
    this.#hideDot();
  }

  #hideDot(): void {
    this.#dot.setAttribute('visibility', 'hidden');
  }

  /** Roads are drawn in the order of the table's cells, without its diagonal. */
  #road({ from, to }: Step): SVGPathElement {
    return this.#roads[from * (this.#nodes.length - 1) + to - Number(to > from)]!;
  }

  /** Lights a place, or none while the dot is on its way. */
  stand(index: number | null): void {
    for (const [place, node] of this.#nodes.entries()) node.classList.toggle('at', place === index);
    if (index !== null) this.#hideDot();
  }

  /** The walk between two places, from 0 to 1. */
  move(step: Step, way: number): void {
    if (way < standing) {
      this.stand(step.from);
      return;
    }
    this.stand(null);
    const { x, y } = this.#pointOf(step, eased((way - standing) / (1 - standing)));
    this.#dot.setAttribute('cx', x.toFixed(1));
    this.#dot.setAttribute('cy', y.toFixed(1));
    this.#dot.setAttribute('visibility', 'visible');
  }

  #pointOf(step: Step, way: number): Point {
    if (step.from !== step.to) {
      const road = this.#road(step);
      return road.getPointAtLength(road.getTotalLength() * way);
    }
    const { cx, cy, r } = this.#nodes[step.from]!;
    const [radius, up] = [r.baseVal.value, Math.sin(Math.PI * way)];
    return { x: cx.baseVal.value + 12 * (2 * way - 1), y: cy.baseVal.value - radius - (jump - radius) * up };
  }
}
