/** Defaults of options that the core has no default for; those of others are in generated/fields.ts. */

/** At most dModel. */
export const LOW_RANK = 8;
