/** Whether every case runs (`npm run whole`); the suite runs a share of what has many. */
export const isWhole = process.env['CORE_SPECS'] === 'all';

/** Selects the share; another number selects another. */
export const seed = Number(process.env['CORE_SPEC_SEED'] ?? 1);

/** How often something random is tried. */
export const times = (whole: number, inSuite: number): number => (isWhole ? whole : inSuite);

/** Whether the case at this place runs, where the suite runs one in so many. */
export const isChosen = (at: number, oneOf: number): boolean => isWhole || (at + seed) % oneOf === 0;
