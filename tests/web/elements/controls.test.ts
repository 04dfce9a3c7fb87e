// @vitest-environment happy-dom
import { render } from 'lit';
import { expect, it } from 'vitest';
import { checkboxes } from '../../../web/elements/shared/controls.js';

const boxesOf = (chosen: readonly ('one' | 'two' | 'three')[]) => {
  const calls: string[][] = [];
  const place = document.createElement('div');
  document.body.append(place);
  const onChoose = (some: string[]): number => calls.push(some);
  render(checkboxes({ legend: 'Which', values: ['one', 'two', 'three'], chosen, label: String, onChoose }), place);
  return { calls, boxes: [...place.querySelectorAll('input')] };
};

it('checkboxes report checked values in the order of the values', () => {
  const { calls, boxes } = boxesOf(['three', 'two']);
  expect(boxes.map(({ checked }) => checked)).toEqual([false, true, true]);
  boxes[0]!.click();
  expect(calls).toEqual([['one', 'two', 'three']]);
});

it('checkboxes report the remaining values, and the last one stays checked', () => {
  const { calls, boxes } = boxesOf(['one', 'three']);
  boxes[0]!.click();
  expect(calls).toEqual([['three']]);
  expect(boxesOf(['three']).boxes.map(({ disabled }) => disabled)).toEqual([false, false, true]);
});
