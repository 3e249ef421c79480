import type { Counts } from '../verdict.ts';
import { external, hidden, sentence, toObservers, toViewers } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';
import { causeOfQuota } from './quota.ts';
import { type CauseInput, type CauseRule, found } from './rule.ts';

/** Why an action failed, and the object that it could not write, where one is known. */
export interface FailedAction {
  readonly why: string;
  readonly on?: ObjectRef | undefined;
}

interface Failed {
  readonly failure: (FailedAction & { readonly counts?: Counts }) | null;
}

/** The cause of a failed action, by the words of the API server. */
export const byFailedAction: CauseRule<Failed> = found(
  ['ClusterRefused', 'QuotaExceeded', 'ForeignObject', 'NamespaceTerminating'],
  ({ failure }, input) => (failure === null ? [] : [causeOfAction(failure, input)]),
);

/** Of the API server: `unable to create new content in namespace <name> because it is being terminated`. */
const terminating = /in namespace (\S+) because it is being terminated/;
const unmanaged = /is not managed by Core|was made for another /;

/** Whether an action failed because a namespace is being deleted. */
export const isTermination = ({ why, on }: FailedAction): boolean => terminatingNamespace(why, on) !== undefined;

const terminatingNamespace = (why: string, on: ObjectRef | undefined): string | undefined =>
  terminating.exec(why)?.[1] ?? (on?.kind === 'Namespace' && why.endsWith(' is being deleted') ? on.name : undefined);

/** The cause of one failed action. */
export function causeOfAction(
  { why, on, counts }: NonNullable<Failed['failure']>,
  { self }: Pick<CauseInput, 'self'>,
): FoundCause {
  const name = terminatingNamespace(why, on);
  if (name !== undefined)
    return {
      reason: 'NamespaceTerminating',
      message: sentence('namespace "{namespace}" is being deleted', { namespace: toViewers(name) }),
      on: { kind: 'Namespace', name, namespace: '' },
    };
  const quota = causeOfQuota(why, on ?? self);
  // Where only time is missing, nobody has to act yet.
  const severity = counts === 'waiting' ? { severity: 'progress' as const } : {};
  if (on === undefined)
    return { reason: quota?.reason ?? 'ClusterRefused', ...severity, message: external(why), on: self };
  if (quota !== undefined) return quota;
  const object = { kind: toViewers(on.kind), name: toObservers(on.name) };
  if (unmanaged.test(why))
    return { reason: 'ForeignObject', message: sentence('{kind} "{name}" belongs to somebody else', object), on };
  const refused = { ...object, message: hidden(why) };
  return {
    reason: 'ClusterRefused',
    ...severity,
    message:
      counts === 'waiting'
        ? sentence('{kind} "{name}" is not written yet: {message}', refused)
        : sentence('the cluster refuses to write {kind} "{name}": {message}', refused),
    on,
  };
}
