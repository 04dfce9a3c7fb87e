import { group, type Panel } from '../shared/settings/panel-parts.js';
import { flag, segments, text, type ValuesOf } from '../shared/settings/setting.js';
import { scales } from './drawing.js';
import { orders } from './model-rows.js';

export const parameterMapSettings = {
  /** 'share': all bars are of one length; 'count': a bar is as long as the logarithm of its parameters. */
  scale: segments(scales, 'scale', 'scaleNames'),
  order: segments(orders, 'order', 'orderNames'),
  /** Only models whose name, maker or year has all of these words. */
  search: text('', { label: 'search', control: { hint: 'searchHint' } }),
  /** All known models; otherwise a selection of them. */
  all: flag(false, { label: 'all' }),
};

export type MapSettings = Readonly<ValuesOf<typeof parameterMapSettings>>;

export const parameterMapPanel = ['order', group('rest', 'scale', 'search', 'all')] satisfies Panel<
  keyof typeof parameterMapSettings
>;
