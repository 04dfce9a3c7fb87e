// @vitest-environment happy-dom
// The models that a reader passes from one figure of a page to the others.
import { afterEach, describe, expect, it } from 'vitest';
import { handOver, hasTakers, newestModels, OwnModelsWatcher } from '../../../web/elements/shared/own-models.js';
import { hostOfTests } from './host.js';

const models = (step: number) => ({ bytes: new Uint8Array(8), step, text: 'a text' });
afterEach(() => {
  handOver(null);
  document.body.replaceChildren();
});

describe('models that were passed on', () => {
  it('are the newest ones, and every figure on the page is notified', () => {
    expect(newestModels()).toBeNull();
    const hosts = [hostOfTests(), hostOfTests()];
    for (const host of hosts) {
      new OwnModelsWatcher(host);
      host.putBack();
    }
    for (const step of [1, 2, 3]) handOver(models(step));
    expect(newestModels()?.step).toBe(3);
    expect(hosts.map(({ updates }) => updates)).toEqual([3, 3]);
    hosts[0]!.remove();
    handOver(models(4));
    expect(hosts.map(({ updates }) => updates)).toEqual([3, 4]);
    hosts[0]!.putBack();
    handOver(models(5));
    expect(hosts.map(({ updates }) => updates)).toEqual([4, 5]);
    for (const host of hosts) host.remove();
  });

  it('are offered if the page has a figure for them, registered or not, also in a shadow root', () => {
    const lab = document.body.appendChild(document.createElement('div'));
    expect(hasTakers(lab)).toBe(false);
    document.body.append(document.createElement('tied-lens'));
    expect(hasTakers(lab)).toBe(true);
    document.body.replaceChildren();
    const shadow = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    shadow.append(lab, document.createElement('tied-alignment'));
    expect(hasTakers(lab)).toBe(true);
  });
});
