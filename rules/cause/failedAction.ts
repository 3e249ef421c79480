import { external, hidden, sentence, toObservers, toViewers } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';
import { type CauseInput, type CauseRule, found } from './rule.ts';

/** Why an action failed, and the object that it could not write, where one is known. */
export interface FailedAction {
  readonly why: string;
  readonly on?: ObjectRef | undefined;
}

interface Failed {
  readonly failure: FailedAction | null;
}

/** The cause of a failed action, by the words of the API server. */
export const byFailedAction: CauseRule<Failed> = found(
  ['ClusterRefused', 'QuotaExceeded', 'ForeignObject', 'NamespaceTerminating'],
  ({ failure }, input) => (failure === null ? [] : [causeOfAction(failure, input)]),
);

/** The same of an action that will be tried again without an end: a cluster that does not answer needs nobody. */
export const byAwaitedAction: CauseRule<Failed> = {
  ...byFailedAction,
  find: (seen, input) =>
    byFailedAction
      .find(seen, input)
      .map((cause) => (cause.reason === 'ClusterRefused' ? { ...cause, severity: 'progress' } : cause)),
};

const quota = /exceeded quota/;
const terminating = /because it is being terminated/;
const unmanaged = /is not managed by Core|belongs to /;

/** The cause of one failed action. */
export function causeOfAction({ why, on }: FailedAction, { self }: Pick<CauseInput, 'self'>): FoundCause {
  const at = on ?? self;
  const message = hidden(why);
  const namespace = toViewers(at.namespace);
  if (terminating.test(why))
    return {
      reason: 'NamespaceTerminating',
      message: sentence('namespace "{namespace}" is being deleted', { namespace }),
      on: { kind: 'Namespace', name: at.namespace, namespace: '' },
    };
  if (quota.test(why))
    return {
      reason: 'QuotaExceeded',
      message: sentence('the quota of namespace "{namespace}" is used up: {message}', { namespace, message }),
      on: at,
    };
  const object = { kind: toViewers(at.kind), name: toObservers(at.name) };
  if (on !== undefined && unmanaged.test(why))
    return {
      reason: 'ForeignObject',
      message: sentence('{kind} "{name}" belongs to somebody else', object),
      on,
    };
  if (on === undefined) return { reason: 'ClusterRefused', message: external(why), on: self };
  return {
    reason: 'ClusterRefused',
    message: sentence('the cluster refuses to write {kind} "{name}": {message}', { ...object, message }),
    on,
  };
}
