import { define } from './define.js';
import { HeatMapView } from './heat-map-view.js';
import { LineChartView } from './line-chart-view.js';
import { NumberField } from './number-field.js';

/** Registers the internal parts of public elements; called by each element's define file. */
export function defineShared(): void {
  define('tied-number-field', NumberField);
  define('tied-heat-map', HeatMapView);
  define('tied-line-chart', LineChartView);
}
