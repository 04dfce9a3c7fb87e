// The picture's colours, [in light surroundings, in dark ones]: those of web/elements/shared/palette.ts, of which only
// what the picture needs is here, as plain JavaScript. A test holds the two together.
export const colors = {
  paper: ['#fdfcf9', '#15171b'],
  ink: ['#1d1f22', '#e9e7e2'],
  muted: ['#5b5f66', '#a5a9b0'],
  rule: ['#dcd8cf', '#363a41'],
  accent: ['#0065a0', '#6db9f0'],
  floor: ['#74777d', '#949aa3'],
};
