import { define } from './define.js';
import { HeatMapView } from './heat-map-view.js';
import { LineChartView } from './line-chart-view.js';
import { NumberField } from './number-field.js';

/** Registers the internal parts of public elements. */
export function defineShared(): void {
  define('tied-number-field', NumberField);
  define('tied-heat-map', HeatMapView);
  define('tied-line-chart', LineChartView);
}

/** Registers a public element with the parts that elements share; called by the element's define file. */
export function defineFigure(name: string, constructor: CustomElementConstructor): void {
  defineShared();
  define(name, constructor);
}
