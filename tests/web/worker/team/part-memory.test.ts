// Memory in which gradients and weights reach other workers: who gets which, and when it is used again.
import { describe, expect, test } from 'vitest';
import { movedMemory, sharedMemory } from '../../../../web/worker/team/part-memory.js';

describe('memory that moves', () => {
  test('is another array for each member', () => {
    const [one, other] = movedMemory().room(3, [4, 7], 1);
    expect([one!.length, other!.length]).toEqual([3, 3]);
    expect(one!.buffer).not.toBe(other!.buffer);
  });

  test('of a message goes back to its sender, once, if what is sent fits in it', () => {
    const memory = movedMemory();
    const received = new Uint8Array(6);
    memory.used(received, 4);
    const [elsewhere] = memory.room(2, [5], 1);
    const [back] = memory.room(5, [4], 1);
    const [another] = memory.room(5, [4], 1);
    expect([elsewhere!.length, back!.length, another!.length]).toEqual([2, 5, 5]);
    expect(back!.buffer).toBe(received.buffer);
    for (const { buffer } of [elsewhere!, another!]) expect(buffer).not.toBe(received.buffer);
  });

  test('that is too small, or not needed, is freed', () => {
    const memory = movedMemory();
    const small = new Uint8Array(2);
    memory.used(small, 4);
    expect(memory.room(3, [4], 1)[0]!.length).toBe(3);
    expect(small.buffer.byteLength).toBe(0);
    const [one, other] = [new Uint8Array(5), new Uint8Array(4)];
    memory.used(one, 4);
    memory.used(other, 4);
    expect(other.buffer.byteLength).toBe(0);
    expect(memory.room(3, [4], 1)[0]!.buffer).toBe(one.buffer);
  });
});

describe('memory that is shared', () => {
  test('is one array for all members', () => {
    const [one, other] = sharedMemory().room(3, [1, 2], 0);
    expect(one).toBe(other);
    expect(one!.length).toBe(3);
    expect(one!.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  test('is used again if what is sent still fits, but not in another epoch', () => {
    const memory = sharedMemory();
    const rooms = (
      [
        [3, 1],
        [2, 1],
        [3, 1],
        [4, 1],
        [4, 2],
      ] as const
    ).map(([bytes, epoch]) => memory.room(bytes, [1], epoch)[0]!);
    expect(rooms.map(({ length }) => length)).toEqual([3, 2, 3, 4, 4]);
    const buffers = rooms.map(({ buffer }) => buffer);
    expect(buffers[1]).toBe(buffers[0]);
    expect(buffers[2]).toBe(buffers[0]);
    expect(new Set(buffers).size).toBe(3);
  });
});
