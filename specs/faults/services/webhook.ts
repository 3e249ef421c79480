import { Clock, Effect } from 'effect';
import type { ClusterShape, Resource, WriteError } from '../../../runtime/services/cluster/cluster.ts';
import { failureOf, ofWrite, type Status } from '../../../runtime/services/kube/failure.ts';
import { aroundCalls, type Called } from './calls.ts';
import { counter } from './counting.ts';
import type { WebhookAnswer, WebhookFault } from './fault.ts';

const group = 'postgresql.cnpg.io';
/** It is not asked about deletions, nor about what the operator reports. */
const asked: readonly Called['verb'][] = ['create', 'apply', 'patch'];

/** Whether the API asks the webhook about this call. */
export const isAskedAbout = ({ resource, verb }: Called): boolean => resource?.group === group && asked.includes(verb);

/** What a real API server answers when the webhook is in the way. */
const statuses: Readonly<Record<WebhookAnswer, (kind: string, webhook: string, name: string) => Status>> = {
  nothing: (_, webhook) => ({
    code: 500,
    reason: 'InternalError',
    message:
      `Internal error occurred: failed calling webhook "m${webhook}.cnpg.io": failed to call webhook: ` +
      `Post "https://cnpg-webhook-service.cnpg-system.svc:443/mutate-postgresql-cnpg-io-v1-${webhook}?timeout=10s": ` +
      'dial tcp 10.43.117.9:443: connect: connection refused',
  }),
  forbidden: (_, webhook) => ({
    code: 403,
    reason: 'Forbidden',
    message: `admission webhook "v${webhook}.cnpg.io" denied the request: not while the operator is upgraded`,
  }),
  invalid: (kind, webhook, name) => ({
    code: 422,
    reason: 'Invalid',
    message:
      `admission webhook "v${webhook}.cnpg.io" denied the request: ` +
      `${kind}.postgresql.cnpg.io "${name}" is invalid: spec: Invalid value: "object": not this one`,
    details: { causes: [{ field: 'spec' }] },
  }),
};

/** The failure of a write that the webhook is in the way of, as the client of the product reads it. */
function refusalBy(answers: WebhookAnswer, { kind }: Resource, name: string): WriteError {
  const status = statuses[answers](kind, kind.toLowerCase(), name);
  const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status });
  return ofWrite(failureOf(status.code ?? 500, body));
}

/** Decides for each counted write whether the webhook is in its way. */
function inTheWay(fault: WebhookFault): Effect.Effect<boolean> {
  if (fault.is === 'webhook') {
    const isIt = counter(fault);
    return Effect.sync(() => isIt(group));
  }
  let count = 0;
  let until: number | null = null;
  return Effect.map(Clock.currentTimeMillis, (now) => {
    if (++count === fault.at) until = now + fault.ms;
    return until !== null && now < until;
  });
}

/** The cluster with a webhook that is in the way of some writes. */
export function withWebhookFault(cluster: ClusterShape, fault: WebhookFault, touch: () => void): ClusterShape {
  const isInTheWay = inTheWay(fault);
  const answers = fault.is === 'webhook' ? fault.answers : 'nothing';
  const write = <A, E>(called: Called, run: Effect.Effect<A, E>): Effect.Effect<A, E> => {
    const { resource } = called;
    if (resource === undefined || !isAskedAbout(called)) return run;
    return Effect.flatMap(isInTheWay, (is) => {
      if (!is) return run;
      touch();
      return Effect.fail(refusalBy(answers, resource, called.name) as E);
    });
  };
  return aroundCalls(cluster, { read: (_, run) => run, write });
}
