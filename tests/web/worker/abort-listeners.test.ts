import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createLab } from '../../../web/index.js';
import { onAbort } from '../../../web/worker/abort-listeners.js';
import { rejection } from './lab-tests.js';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('every call hears of an abort, even one whose neighbor stops listening meanwhile', () => {
  const controller = new AbortController();
  const heard: string[] = [];
  const stops = ['a', 'b', 'c'].map((name) =>
    onAbort(controller.signal, () => {
      heard.push(name);
      stops.forEach((stop) => stop());
    }),
  );
  onAbort(controller.signal, () => heard.push('never'))();
  controller.abort();
  expect(heard).toEqual(['a', 'b', 'c']);
  expect(listenersOf(controller.signal)).toBe(0);
});

test('many calls with one signal listen once, and not at all when they have ended', async () => {
  const lab = await createLab();
  const controller = new AbortController();
  const { signal } = controller;
  const texts = Array.from({ length: 12 }, (_, seed) => lab.writeStories({ seed, length: 10, signal }));
  expect(listenersOf(signal)).toBe(1);
  await Promise.all(texts);
  expect(listenersOf(signal)).toBe(0);

  const corpus = await lab.openCorpus('to and fro', { tokenizer: { kind: 'word' } });
  const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training: { learningRate: 0.1 } } };
  const [ended, running] = await Promise.all([1, 2].map(() => lab.compare(corpus, { arms } as never, { signal })));
  ended!.dispose();
  expect(listenersOf(signal)).toBe(1);
  const playing = rejection(running!.play({ until: Infinity }));
  controller.abort('enough');
  expect((await playing).cause).toBe('enough');
  expect(listenersOf(signal)).toBe(0);
  lab.dispose();
});
