import { afterAll, beforeAll, describe, vi } from 'vitest';
import { testHostile } from './lab-hostile-tests.js';
import { fakeWorkerClass, workerScript } from './node-worker.js';

describe('hostile arguments of a lab on the same thread', () => testHostile());

describe('hostile arguments of a lab in a worker', () => {
  beforeAll(async () => {
    vi.stubGlobal('Worker', fakeWorkerClass(await workerScript()));
  });
  afterAll(() => vi.unstubAllGlobals());

  testHostile();
});
