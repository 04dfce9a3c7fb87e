import { define } from '../define.js';
import { defineShared } from '../shared.define.js';
import { ArchitecturePicker } from './architecture-picker.js';

/** Registers the picker, for elements that are about one model. */
export function defineArchitecturePicker(): void {
  defineShared();
  define('tied-architecture-picker', ArchitecturePicker);
}
