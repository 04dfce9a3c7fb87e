// The picture's colors, [light scheme, dark scheme]: the required part of web/elements/shared/palette.ts as plain
// JavaScript. A test compares the two.
export const colors = {
  paper: ['#fdfcf9', '#15171b'],
  ink: ['#1d1f22', '#e9e7e2'],
  muted: ['#5b5f66', '#a5a9b0'],
  rule: ['#dcd8cf', '#363a41'],
  accent: ['#0065a0', '#6db9f0'],
  floor: ['#74777d', '#949aa3'],
};
