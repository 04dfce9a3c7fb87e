// Everything that can be pressed is large enough for a finger, in every element, at the width of a phone.
import { describe, expect, it } from 'vitest';
import { openFixture } from './harness.js';

const script = `
import './web/elements/index.ts';
import { configureLabs } from './web/elements/shared/page-labs.ts';
configureLabs({ workerUrl: 'worker.js' });
`;
const figures = {
  'tied-symmetry-explorer': '.read-out strong',
  'tied-alignment': '.read-out',
  'tied-hidden-states': '.read-out',
  'tied-lens': '.read-out',
  'tied-direct-path': '.read-out',
  'tied-gradient-ledger': '.read-out',
  'tied-heads': '.costs',
  'tied-bigrams': '.read-out strong',
  'tied-training-lab': 'tied-heat-map .frame',
  'tied-parameter-calculator': '.read-out',
  'tied-compute-calculator': '.key',
  'tied-model-table': '.rows, table',
  'tied-advisor': '.read-out, .balance',
  'tied-checkpoint': '.button',
  'tied-experiment': '.button',
  'tied-seq2seq': '.read-out',
  'tied-parameter-map': '.part',
} as const;

describe('targets', () => {
  for (const [tag, drawn] of Object.entries(figures)) {
    it(`of <${tag}> have 24 pixels in each direction, or that much space around them`, async () => {
      const body = `<${tag} ${tag === 'tied-training-lab' ? 'text-source="markov-chain"' : 'for=""'}></${tag}>`;
      const { page } = await openFixture({ title: 'Targets', script, body }, { width: 390, height: 844 });
      await page.locator(tag).locator(drawn).first().waitFor();
      for (const summary of await page.locator(tag).locator('summary').all()) await summary.click();
      const small = await page.evaluate(() => {
        const controls = 'a[href], button, input, select, textarea, summary, [role=slider], [role=button], [role=grid]';
        const found: { name: string; box: DOMRect }[] = [];
        const visit = (root: ParentNode): void => {
          for (const element of root.querySelectorAll<HTMLElement>('*')) {
            if (element.shadowRoot) visit(element.shadowRoot);
            if (!element.matches(controls)) continue;
            const style = getComputedStyle(element);
            // Visible only while focused, or not at all. Marks of a chart are tested with the chart.
            if (style.clipPath !== 'none' || style.visibility === 'hidden' || element.closest('svg')) continue;
            // Links in a sentence are limited by the line of the sentence.
            if (element.matches('a') && style.display === 'inline') continue;
            // A label belongs to its control and activates it.
            const target = element.matches('[type=checkbox], [type=radio]')
              ? (element.closest('label') ?? element)
              : element;
            const box = target.getBoundingClientRect();
            if (box.width > 0 && box.height > 0) {
              const name = element.getAttribute('aria-label') ?? element.textContent.trim();
              found.push({ name: `${element.localName}.${element.className} ${name}`, box });
            }
          }
        };
        visit(document);
        const middle = ({ left, right, top, bottom }: DOMRect): [number, number] => [
          (left + right) / 2,
          (top + bottom) / 2,
        ];
        /** Distance from a point to a box. */
        const distance = ([x, y]: [number, number], box: DOMRect): number =>
          Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
        const isSmall = ({ box }: { box: DOMRect }): boolean => box.width < 23.99 || box.height < 23.99;
        // A circle of 24 pixels around a small target touches no other target and no such circle.
        const hasRoom = (one: (typeof found)[number]): boolean =>
          found.every((other) => {
            if (other === one) return true;
            const [x, y] = middle(one.box);
            const [otherX, otherY] = middle(other.box);
            return isSmall(other) ? Math.hypot(x - otherX, y - otherY) >= 24 : distance([x, y], other.box) >= 12;
          });
        return {
          count: found.length,
          small: found
            .filter((one) => isSmall(one) && !hasRoom(one))
            .map(({ name, box }) => `${name}: ${String(box.width)} x ${String(box.height)}`),
        };
      });
      expect(small.count).toBeGreaterThan(1);
      expect(small.small).toEqual([]);
    });
  }
});
