/** EᵀE, and for two tables DᵀD and DᵀE with D = U - E, in the order of the core. */
export const PRODUCTS = { tied: [0], untied: [0, 1, 2] } as const;
