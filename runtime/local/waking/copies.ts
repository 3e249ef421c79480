/** How a service that may sleep is scaled. */
export interface Scaling {
  readonly least: number;
  readonly most: number;
  /** The concurrent requests per copy. */
  readonly perCopy: number;
  /** How long demand must be lower before copies are stopped. */
  readonly cooldownMs: number;
}

/** When each number of copies was last needed. */
export type Needed = ReadonlyMap<number, number>;

/** The number of copies for the current requests. */
export const copiesFor = (requests: number, { most, perCopy }: Scaling): number =>
  Math.min(most, Math.ceil(requests / perCopy));

/** Adds the current need; drops expired ones. */
export function withNeed(needed: Needed, copies: number, now: number, { cooldownMs }: Scaling): Needed {
  const recent = [...needed].filter(([, at]) => at + cooldownMs > now);
  return new Map(copies > 0 ? [...recent, [copies, now]] : recent);
}

/** The largest need within the cooldown. */
export const wantedCopies = (needed: Needed, { least }: Scaling): number => Math.max(least, ...needed.keys());

/** When fewer copies may be enough; null when that depends on requests alone. */
export function nextCheck(needed: Needed, { cooldownMs }: Scaling): number | null {
  const most = needed.get(Math.max(...needed.keys()));
  return most === undefined ? null : most + cooldownMs;
}
