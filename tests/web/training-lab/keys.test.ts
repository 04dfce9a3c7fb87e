// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { keyAction, type KeyAction } from '../../../web/elements/training-lab/keys.js';

/** What a key does in the figure while the element described by `html` has the focus. */
function actionOn(html: string, key: string): KeyAction | null {
  document.body.innerHTML = html;
  const target = document.body.firstElementChild;
  let action: KeyAction | null = null;
  const listen = (event: Event): void => {
    action = keyAction(event as KeyboardEvent);
  };
  document.body.addEventListener('keydown', listen, { once: true });
  target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
  return action;
}

afterEach(() => {
  document.body.innerHTML = '';
});

describe('keys of a run', () => {
  const buttons = ['<button>Save</button>', '<a href="#x">x</a>', '<summary>More</summary>', '<i role="button">x</i>'];

  it.each(buttons)('neither rewind nor press while %s has the focus', (html) => {
    expect(['Home', 'End', ' '].map((key) => actionOn(html, key))).toEqual([null, null, null]);
  });

  it.each(['<input type="range">', '<select></select>', '<textarea></textarea>', '<div role="region"></div>'])(
    'are left to %s, which uses all keys',
    (html) => {
      for (const key of ['Home', 'End', ' ', 'ArrowLeft', 'ArrowRight']) expect(actionOn(html, key)).toBeNull();
    },
  );

  it('rewind, play, step and look back from the curves', () => {
    const keys = ['Home', 'End', ' ', 'ArrowRight', 'ArrowLeft'];
    expect(keys.map((key) => actionOn('<div tabindex="0"></div>', key))).toEqual([
      'rewind',
      'newest',
      'play-or-pause',
      'step',
      'look-back',
    ]);
  });
});
