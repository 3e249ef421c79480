import type { Counted, Run } from './fault.ts';

/** Happen by themselves and at their own time: to count them would make every number mean something else. */
const background: readonly string[] = ['events', 'leases'];

/** Whether something of this resource counts. */
export const counts = ({ of }: { readonly of?: string }, plural: string): boolean =>
  of === undefined ? !background.includes(plural) : of === plural;

/** Counts what concerns a resource; says of each whether it is the one, or one of the run. */
export function counter(fault: Counted & Run): (plural: string) => boolean {
  let count = 0;
  return (plural) => {
    if (!counts(fault, plural)) return false;
    count++;
    return count >= fault.at && count < fault.at + (fault.for ?? 1);
  };
}
