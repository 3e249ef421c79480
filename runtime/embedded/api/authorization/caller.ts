import { type User, group as wellKnown } from '../authentication/user.ts';
import { type StatusError, forbiddenTo } from '../status.ts';
import { type Attributes, refusalText } from './attributes.ts';
import type { Policy } from './policy.ts';

/** Who asks, and what decides whether it may. */
export interface Caller {
  readonly user: User;
  readonly policy: Policy;
}

/** Whether nothing is refused to a caller. */
export const isMaster = ({ user }: Caller): boolean => user.groups.includes(wellKnown.masters);

/** Refuses with 403 what the caller may not do. */
export function checkAllowed({ user, policy }: Caller, asked: Attributes): void {
  const { allowed, reason } = policy.decide(user, asked);
  if (!allowed) throw refusedTo(user, asked, reason);
}

/** 403 for what a user may not do, with a reason where there is one. */
export function refusedTo(user: User, asked: Attributes, reason: string): StatusError {
  const text = refusalText(user.name, asked);
  const resource =
    asked.is === 'resource'
      ? { group: asked.group, plural: asked.resource, name: asked.name }
      : { group: '', plural: '', name: '' };
  return forbiddenTo(resource, reason === '' ? text : `${text}: ${reason}`);
}
