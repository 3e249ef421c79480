import type { Change } from '../../api.ts';
import { withAt } from './atPath.ts';
import type { Discard } from './discard.ts';

/** Whether a change of a database can be put back: the API has no request that takes a setting away. */
export const isPutBack = ({ deployed }: Change): boolean => deployed !== null;

/** The one request that puts back what runs of a resource. */
export const discardsAt = (path: string, changes: readonly Change[]): readonly Discard[] => {
  const back = changes.filter(isPutBack);
  const body = back.reduce<Discard['body']>(
    (so, { path: at, deployed }) => withAt(so, at.split('.').slice(1), deployed),
    {},
  );
  return back.length === 0 ? [] : [{ method: 'PATCH', path, body }];
};
