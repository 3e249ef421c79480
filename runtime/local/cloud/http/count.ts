import { Refusal } from '../refusal.ts';

/** A number in the query. */
export function countIn(query: ReadonlyMap<string, string>, name: string, fallback: number): number {
  const text = query.get(name) ?? String(fallback);
  if (!/^\d{1,15}$/.test(text)) throw new Refusal(400, 'InvalidArgument', `${name} must be a whole number`);
  return Number(text);
}
