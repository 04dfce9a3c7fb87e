// What each figure offers first does the same by mouse, by touch and by keyboard, and the keyboard's place can be seen.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { inside } from '../../web/article/build/outline.mjs';
import { openSite } from './harness.js';
import { justShow } from './learning-page.js';

// Hero, guesses, quiz and the traveling drawing have tests of their own, by all three.
const figures = `main :is([link-state], article-worked-position, article-roundabout, article-direction, article-which-way,
  article-decision, article-lost-table, article-table-bits, article-leak)`;

type Hand = 'mouse' | 'touch' | 'keyboard';
type Kind = 'radio' | 'chip' | 'select' | 'button';

/** Opens folds and takes what is offered, and waits until the figure is drawn. */
async function wake(page: Page, figure: Locator, hand: Hand): Promise<void> {
  await figure.evaluate((one) => {
    for (let fold = one.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
  });
  await figure.evaluate((one) => one.scrollIntoView({ block: 'center', behavior: 'instant' }));
  if (await figure.evaluate((one) => one.hasAttribute('link-state'))) {
    const offer = figure.getByRole('button', { name: /^(Use this figure|Open this page)/ });
    await figure.and(page.locator('[data-drawn]')).or(offer).first().waitFor();
    if (await offer.isVisible()) await (hand === 'touch' ? offer.tap() : offer.click());
    await figure.and(page.locator('[data-drawn]')).waitFor();
  }
  await expect.poll(() => figure.evaluate((one) => one.shadowRoot !== null)).toBe(true);
}

/** What readers use and what answers them, in all shadow trees of a figure, in the order of the page. */
const parts = 'select, button, input[type=radio], .read-out, .step, .line, .verdict, [role=status]';
type Found = (figure: Element) => Element[];
declare const partsOf: Found;
const addPartsOf = `globalThis.partsOf = (figure) => {
  const all = [];
  const visit = (root) => {
    for (const one of root.querySelectorAll('*')) {
      if (one.matches(${JSON.stringify(parts)}) && one.checkVisibility({ visibilityProperty: true })) all.push(one);
      if (one.shadowRoot) visit(one.shadowRoot);
    }
  };
  visit(figure.shadowRoot);
  return all;
}`;

/** Marks the first control of the figure at rest with `data-try`: of choices, one that is not chosen yet. */
const mark = (figure: Locator): Promise<Kind | null> =>
  figure.evaluate((element) => {
    const usable = partsOf(element).filter(
      (one): one is HTMLInputElement | HTMLButtonElement | HTMLSelectElement =>
        one.matches('select, button, input') &&
        // What opens the system's list of files can't be tried here.
        !one.matches('input[type=file] + *') &&
        one.closest('.title-row, .skip, svg, .data') === null &&
        one.ariaDisabled !== 'true' &&
        !one.hasAttribute('disabled'),
    );
    const [first] = usable;
    if (first === undefined) return null;
    const found = (target: Element | undefined, kind: Kind): Kind => {
      target!.setAttribute('data-try', '');
      return kind;
    };
    if (first instanceof HTMLInputElement) {
      const group = usable.filter((one) => one instanceof HTMLInputElement && one.name === first.name);
      return found(group.filter((one) => !(one as HTMLInputElement).checked).at(-1), 'radio');
    }
    if (first instanceof HTMLSelectElement) return found(first, 'select');
    const chips = first.closest('.prompt-chips');
    return chips === null
      ? found(first, 'button')
      : found(usable.filter((one) => one.closest('.prompt-chips') === chips)[1], 'chip');
  });

/** What the figure says, and what is chosen and pressed in it; choices are marked. */
const stateOf = (figure: Locator): Promise<string> =>
  figure.evaluate((element) =>
    partsOf(element)
      .map((one) => {
        if (one instanceof HTMLInputElement) return `* ${one.value} ${String(one.checked)}`;
        if (one instanceof HTMLSelectElement) return `* ${one.value}`;
        const text = one.textContent.replace(/\s+/g, ' ').trim();
        return [text, one.ariaPressed, one.ariaDisabled, one.ariaLabel].filter(Boolean).join(' ');
      })
      .join('\n'),
  );

/** Walks by Tab from the start of the figure to the marked control, or into its group. */
async function tabTo(page: Page, figure: Locator): Promise<void> {
  await figure.evaluate((one) => {
    one.setAttribute('tabindex', '-1');
    (one as HTMLElement).focus();
  });
  for (let stops = 0; stops < 12; stops++) {
    await page.keyboard.press('Tab');
    const isThere = await figure.evaluate((one) => {
      let active: Element | null = one.shadowRoot!.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      const root = active?.getRootNode() as ShadowRoot | Document | undefined;
      const target = root?.querySelector('[data-try]');
      if (active === null || !target) return false;
      if (active === target) return true;
      return active instanceof HTMLInputElement && target instanceof HTMLInputElement && active.name === target.name;
    });
    if (isThere) return;
  }
  throw new Error('Twelve stops of the Tab key do not lead to the first control');
}

/** Whether the focused control looks different from itself without the focus. */
async function showsFocus(page: Page): Promise<boolean> {
  const box = await page.evaluate(() => {
    let active = document.activeElement!;
    while (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    active.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = (active.closest('label') ?? active).getBoundingClientRect();
    return { x: x - 8, y: y - 8, width: width + 16, height: height + 16 };
  });
  const clip = { ...box, x: Math.max(0, box.x), y: Math.max(0, box.y) };
  const focused = await page.screenshot({ clip });
  const held = await page.evaluateHandle(() => {
    let active = document.activeElement as HTMLElement;
    while (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement as HTMLElement;
    active.blur();
    return active;
  });
  const blurred = await page.screenshot({ clip });
  await held.evaluate((one) => one.focus());
  return !focused.equals(blurred);
}

async function use(page: Page, figure: Locator, kind: Kind, hand: Hand): Promise<void> {
  const target = figure.locator('[data-try]');
  if (hand !== 'keyboard') {
    const pressed = kind === 'radio' ? figure.locator('label:has([data-try])') : target;
    // The browser itself draws the list of a select.
    if (kind === 'select') await target.selectOption({ index: 1 });
    else await (hand === 'touch' ? pressed.tap() : pressed.click());
    return;
  }
  await tabTo(page, figure);
  expect(await showsFocus(page), 'the focus can be seen').toBe(true);
  if (kind === 'radio') {
    for (let moves = 0; moves < 8 && !(await target.isChecked()); moves++) await page.keyboard.press('ArrowRight');
  } else if (kind === 'select') {
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
  } else await page.keyboard.press('Enter');
}

/** Uses the first control of every figure of a page in one way, after which the figure says something else; what is then chosen in each. */
async function walk(path: string, hand: Hand, width: number): Promise<string[]> {
  const options = { width, height: 844, touch: width < 1000, atRest: true, reducedMotion: true };
  const { page, problems, close } = await openSite(path, options);
  await page.evaluate(addPartsOf);
  await page.mouse.wheel(0, 100);
  if (path === '') await justShow(page, 'train');
  const states: string[] = [];
  for (const figure of await page.locator(figures).all()) {
    const name = await figure.evaluate((one) => `${one.localName} ${one.getAttribute('link-state') ?? ''}`);
    await wake(page, figure, hand);
    const kind = await mark(figure);
    if (kind === null) {
      states.push(`${name}: nothing to press`);
      continue;
    }
    const before = await stateOf(figure);
    await use(page, figure, kind, hand);
    const message = `${name}, ${kind}, by ${hand}`;
    await expect.poll(() => stateOf(figure), { message }).not.toBe(before);
    // What a button has started would go on behind the next figures.
    await figure.evaluate((one) =>
      partsOf(one)
        .find((part): part is HTMLButtonElement => /^(Pause|Cancel|Stop)$/.test(part.textContent.trim()))
        ?.click(),
    );
    const chosen = (await stateOf(figure)).split('\n').filter((line) => line.startsWith('* '));
    states.push(`${name}: ${kind} ${chosen.join(' ')}`);
  }
  expect(problems).toEqual([]);
  await close();
  return states;
}

/** By page: what was chosen by taps. */
const afterTaps = new Map<string, string[]>();

/** Chapter law has no figure to press; what is typed and drawn along in chapter languages is tested with it (languages.test.ts). */
const pressed = inside.chapters.filter((name) => name !== 'law' && name !== 'languages');

describe.each(['', ...pressed.map((name) => `${name}.html`)])(
  'the first control of each figure of the page "%s"',
  (path) => {
    test('works by mouse', async () => {
      expect((await walk(path, 'mouse', 1440)).length).toBeGreaterThan(path === '' ? 12 : 0);
    }, 360_000);

    test('works by touch', async () => {
      afterTaps.set(path, await walk(path, 'touch', 390));
    }, 360_000);

    test('does the same by keyboard, and shows the focus', async () => {
      expect(await walk(path, 'keyboard', 390)).toEqual(afterTaps.get(path) ?? (await walk(path, 'touch', 390)));
    }, 360_000);
  },
);
