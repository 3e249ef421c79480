import type { Stored } from '../../store.ts';
import type { Answer } from '../answer.ts';
import { type Call, isTrue } from '../call.ts';
import { at, textAt } from '../json.ts';
import type { PodProcesses } from '../podProcesses.ts';
import { StatusError, badRequest, forbiddenTo, methodNotAllowed } from '../status.ts';
import type { Wanted } from '../streaming/connection.ts';
import type { Sessions } from '../streaming/sessions.ts';
import { containerOf, containerStatusOf } from './podContainer.ts';
import { existing } from './read.ts';

/** What the streaming subresources of pods are served by. */
export interface Streaming {
  readonly processes: PodProcesses;
  readonly sessions: Sessions;
}

/** Runs a command in a container, its streams on the connection of the request. */
export function execInPod(call: Call, streaming: Streaming): Answer {
  const command = call.query.getAll('command');
  const { pod, container, wanted } = streamOf(call, streaming);
  if (command.length === 0) throw badRequest('you must specify at least 1 command for the container');
  return {
    stream: () =>
      streaming.sessions.open(call, wanted, (stdio) => streaming.processes.exec(pod, container, { command, stdio })),
  };
}

/** Joins the streams of what a container runs. */
export function attachToPod(call: Call, streaming: Streaming): Answer {
  const { pod, container, wanted } = streamOf(call, streaming);
  return {
    stream: () => streaming.sessions.open(call, wanted, (stdio) => streaming.processes.attach(pod, container, stdio)),
  };
}

/** Not implemented: kubectl speaks SPDY to it alone. */
export function forwardPort(call: Call): Answer {
  checkMayCreate(call);
  existing(call);
  throw new StatusError(
    501,
    'NotImplemented',
    'port-forward is not served here: a Service is reached by its node port or its Ingress',
  );
}

function streamOf(call: Call, { sessions }: Streaming) {
  if (call.request.method !== 'GET' && call.request.method !== 'POST') throw methodNotAllowed();
  checkMayCreate(call);
  const pod = existing(call);
  const wanted = wantedOf(call);
  const container = containerOf(pod, call.query);
  checkRuns(pod, container);
  sessions.check(call);
  return { pod, container, wanted };
}

/** A WebSocket is opened by GET: who may only read must not come in by it. */
function checkMayCreate({ request, type, namespace, name, subresource, caller }: Call): void {
  if (request.method === 'POST') return;
  const { group, plural } = type;
  const place = { group, resource: plural, namespace, name: name ?? '' };
  const asked = { is: 'resource', verb: 'create', subresource: subresource ?? '', ...place } as const;
  const { allowed, reason } = caller.policy.decide(caller.user, asked);
  if (!allowed) throw forbiddenTo({ group, plural, name: place.name }, reason);
}

function wantedOf({ query }: Call): Wanted {
  const [stdin, stdout, stderr, tty] = ['stdin', 'stdout', 'stderr', 'tty'].map((name) => isTrue(query.get(name)));
  const wanted = { stdin: stdin === true, stdout: stdout === true, stderr: stderr === true, tty: tty === true };
  if (!wanted.stdin && !wanted.stdout && !wanted.stderr)
    throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
  return wanted;
}

/** Refuses a container that does not run. */
export function checkRuns(pod: Stored, container: string): void {
  if (textAt(pod, 'spec', 'nodeName') === '')
    throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  if (at(containerStatusOf(pod, container), 'state', 'running') === undefined)
    throw new StatusError(500, 'InternalError', `container not found ("${container}")`);
}
