/** How the copies of a service that may sleep are counted. */
export interface Scaling {
  readonly least: number;
  readonly most: number;
  /** How many requests one copy answers at a time. */
  readonly perCopy: number;
  /** How long fewer requests are seen before copies are stopped. */
  readonly cooldownMs: number;
}

/** When each number of copies was last needed. */
export type Needed = ReadonlyMap<number, number>;

/** As many as the requests need that are under way. */
export const copiesFor = (requests: number, { most, perCopy }: Scaling): number =>
  Math.min(most, Math.ceil(requests / perCopy));

/** With what is needed now; what was needed too long ago is forgotten. */
export function withNeed(needed: Needed, copies: number, now: number, { cooldownMs }: Scaling): Needed {
  const recent = [...needed].filter(([, at]) => at + cooldownMs > now);
  return new Map(copies > 0 ? [...recent, [copies, now]] : recent);
}

/** As many as were needed at any time of the cooldown. */
export const wantedCopies = (needed: Needed, { least }: Scaling): number => Math.max(least, ...needed.keys());

/** When fewer copies may be enough; null where that depends on requests alone. */
export function nextCheck(needed: Needed, { cooldownMs }: Scaling): number | null {
  const most = needed.get(Math.max(...needed.keys()));
  return most === undefined ? null : most + cooldownMs;
}
