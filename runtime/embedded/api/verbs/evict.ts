import { type LabelSelector, selects } from '../../nodes/expression.ts';
import type { Stored } from '../../store.ts';
import { type Answer, json } from '../answer.ts';
import { parseObject, receive } from '../body.ts';
import { type Call, isDryRun, placeOf } from '../call.ts';
import { type Json, at, jsonAt, numberAt, textAt } from '../json.ts';
import { StatusError, badRequest, methodNotAllowed } from '../status.ts';
import { ending, timestamp } from '../store/objects.ts';
import { checkPrecondition } from '../store/store.ts';
import { existing } from './read.ts';
import { preconditionOf } from './remove.ts';

const budgets = 'policy/poddisruptionbudgets';
const retryAfterSeconds = 10;

/** Deletes a pod if the budget of its kind allows one more disruption. */
export async function evictPod(call: Call): Promise<Answer> {
  const { request, store } = call;
  if (request.method !== 'POST') throw methodNotAllowed();
  const eviction = parseObject(await receive(call));
  const pod = existing(call);
  if (textAt(eviction, 'metadata', 'name') !== pod.metadata.name)
    throw badRequest('name in URL does not match name in Eviction object');
  checkPrecondition(placeOf(call), pod, preconditionOf(jsonAt(eviction, 'deleteOptions')));
  const dryRun = isDryRun(call) || JSON.stringify(at(eviction, 'deleteOptions', 'dryRun')) === '["All"]';
  if (!isFree(pod)) await askBudget(call, pod, dryRun);
  const grace = at(eviction, 'deleteOptions', 'gracePeriodSeconds');
  if (!dryRun)
    await store.update(placeOf(call), (old) =>
      old.metadata.uid === pod.metadata.uid
        ? withTarget(ending(old, typeof grace === 'number' ? grace : undefined))
        : old,
    );
  return json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }, 201);
}

/** Pods that are over, not begun or ending already disturb nobody. */
const isFree = (pod: Stored) =>
  ['Succeeded', 'Failed', 'Pending'].includes(textAt(pod, 'status', 'phase')) ||
  pod.metadata.deletionTimestamp !== undefined;

/** The pod with the condition that says why it is going. */
function withTarget(pod: Stored): Stored {
  const conditions = Array.isArray(at(pod, 'status', 'conditions')) ? (at(pod, 'status', 'conditions') as Json[]) : [];
  const target = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastProbeTime: null,
    lastTransitionTime: timestamp(),
  };
  const others = conditions.filter(({ type }) => type !== target.type);
  return { ...pod, status: { ...jsonAt(pod, 'status'), conditions: [...others, target] } };
}

async function askBudget({ store }: Call, pod: Stored, dryRun: boolean) {
  const { namespace = '', labels } = pod.metadata;
  const all = store
    .list(budgets, namespace)
    .filter((one) => selects(at(one, 'spec', 'selector') as LabelSelector | undefined, labels));
  if (all.length > 1)
    throw new StatusError(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  const [budget] = all;
  if (!budget) return;
  const place = { bucket: budgets, namespace, name: budget.metadata.name };
  if (!isReady(pod) && isHealthy(budget)) return;
  const spend = (old: Stored) => spent(old, pod.metadata.name);
  if (dryRun) spend(budget);
  else await store.update(place, spend);
}

const isReady = (pod: Stored) =>
  (Array.isArray(at(pod, 'status', 'conditions')) ? (at(pod, 'status', 'conditions') as Json[]) : []).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );

/** Whether a pod that is not ready may go without being counted. */
const isHealthy = (budget: Stored) =>
  textAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow' ||
  (numberAt(budget, 'status', 'desiredHealthy') > 0 &&
    numberAt(budget, 'status', 'currentHealthy') >= numberAt(budget, 'status', 'desiredHealthy'));

/** The budget after one more disruption; refused when there is none left. */
function spent(budget: Stored, pod: string): Stored {
  const { name, generation = 0 } = budget.metadata;
  if (numberAt(budget, 'status', 'observedGeneration') < generation)
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, { retryAfterSeconds });
  const allowed = numberAt(budget, 'status', 'disruptionsAllowed');
  if (allowed <= 0) {
    const needs = numberAt(budget, 'status', 'desiredHealthy');
    const has = numberAt(budget, 'status', 'currentHealthy');
    throw tooMany(`The disruption budget ${name} needs ${needs} healthy pods and has ${has} currently`, {});
  }
  const status = jsonAt(budget, 'status');
  const disruptedPods = { ...jsonAt(status, 'disruptedPods'), [pod]: timestamp() };
  return { ...budget, status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods } };
}

const tooMany = (message: string, details: Json) =>
  new StatusError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    ...details,
    causes: [{ reason: 'DisruptionBudget', message }],
  });
