/**
 * Plain data with fewer digits: four digits resolve less than a pixel of a drawing. Integers, such as counts, stay as
 * they are.
 */
export const rounded = (data, digits = 4) =>
  JSON.parse(
    JSON.stringify(data, (_, value) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(digits)) : value,
    ),
  );
