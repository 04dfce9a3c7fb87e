export * from './color-scale.js';
export * from './heat-map.js';
export * from './line-chart.js';
export * from './number-format.js';
export * from './scale.js';
export * from './smooth.js';
export * from './spread-labels.js';
export * from './ticks.js';
