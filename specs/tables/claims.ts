import type { Parsed } from './parse.ts';

/** Whether an action writes down the name of what is started next. */
export const isClaim = (action: string): boolean => /^claim[A-Z]/.test(action);

/** The events whose rows begin with a claim. */
export const claimsOf = ({ rows }: Pick<Parsed, 'rows'>): readonly string[] => [
  ...new Set(rows.filter(({ does: [first = ''] }) => isClaim(first)).map(({ event }) => event)),
];
