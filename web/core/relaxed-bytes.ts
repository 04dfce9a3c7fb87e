/** The relaxed build as base64. In the package it is a script of its own, dist/relaxed-bytes.js. */
export { default as analysis } from '../wasm/analysis-relaxed-bytes.mjs';
export { default as core } from '../wasm/core-relaxed-bytes.mjs';
