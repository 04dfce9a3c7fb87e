// Shared by the tests of <tied-training-lab>: a page with only the lab, and a reader's actions on it.
import type { Page } from 'playwright-core';
import { openFixture, type OpenOptions } from './harness.js';

// Registers the element and records its events.
export const script = `
import './web/elements/training-lab/training-lab.define.ts';
import { configureLabs } from './web/elements/shared/page-labs.ts';
configureLabs({ workerUrl: 'worker.js' });
// The browser's own, light or dark: what contrasts are measured against.
document.documentElement.style.background = 'Canvas';
window.steps = [];
window.changes = [];
addEventListener('tied-step', (event) => window.steps.push(event.detail));
addEventListener('tied-change', (event) => window.changes.push(event.detail));
`;

export interface Step {
  step: number;
  losses: Record<string, number>;
}

export async function open(attributes = '', options?: OpenOptions, before = '') {
  const body = `${before}<tied-training-lab heading-level="2" ${attributes}></tied-training-lab>`;
  return openFixture({ title: 'Lab', script, body }, options);
}

export async function openReady(attributes = '', options?: OpenOptions) {
  const opened = await open(attributes, options);
  await opened.page.locator('.facts', { hasText: ' different' }).waitFor();
  await readOut(opened.page, /In this text/);
  return opened;
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const radio = (page: Page, name: string) =>
  page.getByRole('radio', { name, exact: true }).check({ force: true });
export const field = (page: Page, name: string) => page.getByRole('spinbutton', { name, exact: true });
export const stepCount = (page: Page) => page.locator('.step-count').textContent();
export const facts = async (page: Page) =>
  ((await page.locator('.facts').textContent()) ?? '').replace(/\s+/g, ' ').trim();
export const runState = async (page: Page) =>
  ((await page.locator('.run-state').textContent()) ?? '').replace(/\s+/g, ' ').trim();
export const problems = async (page: Page) => (await page.locator('.problem').allTextContents()).join(' ');
export const lastStep = (page: Page) => page.evaluate(() => (window as unknown as { steps: Step[] }).steps.at(-1));

/** Waits until the read-out matches, and returns it. */
export async function readOut(page: Page, pattern: RegExp): Promise<string> {
  const found = page.locator('.read-out', { hasText: pattern });
  await found.waitFor({ timeout: 60_000 });
  return ((await found.textContent()) ?? '').replace(/\s+/g, ' ').trim();
}

export async function choose(page: Page, label: string, value: string) {
  await page.getByRole('combobox', { name: label }).selectOption(value);
}

export async function setNumber(page: Page, name: string, value: number) {
  await field(page, name).fill(String(value));
  await page.keyboard.press('Enter');
}

/** Drops a file on the figure like a browser. */
export async function dropFile(page: Page, name: string, content: string | number[]) {
  await page.evaluate(
    ({ fileName, data }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([typeof data === 'string' ? data : Uint8Array.from(data)], fileName));
      const target = document.querySelector('tied-training-lab')?.shadowRoot?.querySelector('.lab');
      for (const type of ['dragover', 'drop']) {
        target?.dispatchEvent(
          new DragEvent(type, { dataTransfer: transfer, bubbles: true, composed: true, cancelable: true }),
        );
      }
    },
    { fileName: name, data: content },
  );
}

/** The figure's own tables, by caption. */
export async function tables(page: Page): Promise<Record<string, string[][]>> {
  await button(page, 'Show data').click();
  const found = await page.locator('.data table').evaluateAll((all) =>
    all.map((table) => ({
      caption: table.querySelector('caption')?.textContent.trim() ?? '',
      rows: [...table.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent.trim())),
    })),
  );
  await button(page, 'Hide data').click();
  return Object.fromEntries(found.map(({ caption, rows }) => [caption, rows]));
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of wall time and of the thread's own CPU time. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/**
 * The longest task on the page's main thread while `during` runs, in milliseconds: in wall time, which other
 * programs on the machine lengthen, and in CPU time, which they do not.
 */
export async function longestTask(
  page: Page,
  during: () => Promise<unknown>,
): Promise<{ clock: number; processor: number }> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('no browser');
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await during();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) =>
      name.endsWith('RunTask') && threads.some((thread) => thread.pid === pid && thread.tid === tid),
  );
  const most = (values: number[]) =>
    Math.round(values.reduce((longest, value) => Math.max(longest, value), 0) / 100) / 10;
  return { clock: most(tasks.map(({ dur = 0 }) => dur)), processor: most(tasks.map(({ tdur = 0 }) => tdur)) };
}

export const number = (text: string | undefined): number =>
  Number((text ?? '').replace('\u2212', '-').replace(/,/g, ''));
