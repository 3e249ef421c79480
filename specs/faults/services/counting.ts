import type { Counted, Run } from './fault.ts';

/** Not counted, because these happen by themselves at their own time and would shift every number. */
const background: readonly string[] = ['events', 'leases'];

/** Whether a call or event of this resource counts. */
export const counts = ({ of }: { readonly of?: string }, plural: string): boolean =>
  of === undefined ? !background.includes(plural) : of === plural;

/** Counts calls or events of a resource; says of each whether the fault affects it. */
export function counter(fault: Counted & Run): (plural: string) => boolean {
  let count = 0;
  return (plural) => {
    if (!counts(fault, plural)) return false;
    count++;
    return count >= fault.at && count < fault.at + (fault.for ?? 1);
  };
}
