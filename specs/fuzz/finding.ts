import { bytesOf, type Wire } from './request.ts';
import type { Came } from './send.ts';

/** One request that came to no good end, as it can be read. */
export interface Finding {
  readonly changes: readonly string[];
  readonly sent: string;
  readonly faults: readonly string[];
  readonly answer: string;
}

const shown = 600;

export const findingOf = (
  { wire, changes }: { readonly wire: Wire; readonly changes: readonly string[] },
  { text }: Came,
  faults: readonly string[],
): Finding => ({
  changes,
  sent: JSON.stringify(bytesOf(wire).toString('latin1').slice(0, shown)),
  faults,
  answer: JSON.stringify(text.slice(0, shown)),
});
