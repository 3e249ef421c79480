import type { ServerResponse } from 'node:http';
import { annotation } from '../../../../crds/names.ts';
import type { Stored } from '../../store.ts';
import type { Answer } from '../answer.ts';
import { type Call, isTrue } from '../call.ts';
import { listAt, textAt } from '../json.ts';
import type { PodLogs } from '../podLogs.ts';
import { StatusError, badRequest } from '../status.ts';
import { existing } from './read.ts';

const mediaType = 'text/plain; charset=utf-8';

/** The log of one container, whole or from its end, at once or line by line as it is written. */
export function podLog(call: Call, logs: PodLogs): Answer {
  const pod = existing(call);
  const container = containerOf(call, pod);
  const tailLines = limitOf(call, 'tailLines');
  if (isTrue(call.query.get('follow')))
    return { stream: (response) => follow({ pod, container, logs, tailLines, stamp: stamper(call) }, response) };
  const limitBytes = limitOf(call, 'limitBytes');
  const text = logs.read(pod, container, {
    ...(tailLines !== null && { tailLines }),
    ...(limitBytes !== null && { limitBytes }),
  });
  return { code: 200, text: stampAll(text, stamper(call)), mediaType };
}

/** Without a source of logs a pod's log is its annotation. */
export const annotatedLogs: PodLogs = {
  read(pod, _, { tailLines, limitBytes }) {
    const log = pod.metadata.annotations?.[annotation.podLog] ?? '';
    const tail = tailLines === undefined ? log : lastLines(log, tailLines);
    return limitBytes === undefined ? tail : Buffer.from(tail).subarray(0, limitBytes).toString();
  },
  follow(pod, container, onLine) {
    linesOf(annotatedLogs.read(pod, container, {})).forEach(onLine);
    return { stop: () => {}, ended: Promise.resolve() };
  },
};

function containerOf({ query }: Call, pod: Stored): string {
  const all = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => listAt(pod, 'spec', field));
  const names = all.map((one) => textAt(one, 'name'));
  const main = listAt(pod, 'spec', 'containers').map((one) => textAt(one, 'name'));
  const asked = query.get('container') ?? '';
  const { name } = pod.metadata;
  if (asked === '' && main.length !== 1)
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
  const container = asked === '' ? (main[0] ?? '') : asked;
  if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
  const status = ['initContainerStatuses', 'containerStatuses']
    .flatMap((field) => listAt(pod, 'status', field))
    .find((one) => textAt(one, 'name') === container);
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  if (waiting !== '') throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ${waiting}`);
  return container;
}

function limitOf({ query }: Call, name: 'tailLines' | 'limitBytes'): number | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= (name === 'limitBytes' ? 1 : 0)) return limit;
  throw new StatusError(
    422,
    'Invalid',
    `PodLogOptions "" is invalid: ${name}: Invalid value: ${text}: must be greater than ${name === 'limitBytes' ? '0' : 'or equal to 0'}`,
  );
}

type Stamp = (line: string) => string;

/** The lines carry no time of their own; each is stamped with the moment it is sent. */
const stamper = ({ query }: Call): Stamp =>
  isTrue(query.get('timestamps')) ? (line) => `${new Date().toISOString()} ${line}` : (line) => line;

const stampAll = (text: string, stamp: Stamp) =>
  text === '' ? '' : linesOf(text).map(stamp).join('\n') + (text.endsWith('\n') ? '\n' : '');

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
const lastLines = (text: string, count: number) => {
  const end = text.endsWith('\n') ? '\n' : '';
  return count === 0 ? '' : linesOf(text).slice(-count).join('\n') + end;
};

interface Followed {
  readonly pod: Stored;
  readonly container: string;
  readonly logs: PodLogs;
  readonly tailLines: number | null;
  readonly stamp: Stamp;
}

function follow({ pod, container, logs, tailLines, stamp }: Followed, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': mediaType });
  response.flushHeaders();
  const written = tailLines === null ? 0 : linesOf(logs.read(pod, container, {})).length;
  let skip = tailLines === null ? 0 : Math.max(0, written - tailLines);
  const followed = logs.follow(pod, container, (line) => {
    if (skip > 0) skip -= 1;
    else response.write(`${stamp(line)}\n`);
  });
  void followed.ended.then(() => response.end());
  response.once('close', followed.stop);
}
