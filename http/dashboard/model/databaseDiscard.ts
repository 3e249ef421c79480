import type { Change, Read } from '../../api.ts';
import { withAt } from './atPath.ts';
import { resourceChange, type WriteRequest } from '../api.ts';
import type { ResourceName } from './routeAnswers.ts';

/** Whether a change of a database can be put back: the API has no request that takes a setting away. */
export const isPutBack = ({ deployed }: Change): boolean => deployed !== null;

/** The one request that puts back what runs of a resource. */
export const discardsAt = (of: ResourceName, changes: readonly Change[]): readonly WriteRequest<Read>[] => {
  const back = changes.filter(isPutBack);
  const body = back.reduce<Readonly<Record<string, unknown>>>(
    (so, { path: at, deployed }) => withAt(so, at.split('.').slice(1), deployed),
    {},
  );
  return back.length === 0 ? [] : [resourceChange(of, body)];
};
