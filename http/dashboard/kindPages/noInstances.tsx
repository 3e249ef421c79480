import type { Machine } from '../../api.ts';
import { Empty } from '../components/empty.tsx';
import { kindPageOf } from './kinds.ts';

/** What to do while a machine has no instances, by its kind; of the others, what makes the first one. */
export const NoInstances = ({ machine: { name, kinds, rows } }: { readonly machine: Machine }) => {
  const [own] = kinds.flatMap((kind) => kindPageOf(kind)?.empty ?? []);
  if (own) return own();
  const [first] = rows.filter(({ from, to }) => from.includes('(none)') && !to.startsWith('('));
  return (
    <Empty
      title={`No instance of ${name} yet`}
      text={
        first
          ? `The first one appears automatically: ${first.when}.`
          : 'The first one appears automatically. Updates live.'
      }
    />
  );
};
