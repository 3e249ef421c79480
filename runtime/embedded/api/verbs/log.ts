import type { ServerResponse } from 'node:http';
import type { Stored } from '../../store.ts';
import type { Answer } from '../answer.ts';
import { type Call, isTrue } from '../call.ts';
import { at, textAt } from '../json.ts';
import { type LogOptions, type PodLogs, linesFrom, logText, stampedLine } from '../podLogs.ts';
import { StatusError, badRequest, methodNotAllowed, tooManyStreams } from '../status.ts';
import { containerOf, containerStatusOf } from './podContainer.ts';
import { existing } from './read.ts';

const mediaType = 'text/plain; charset=utf-8';

/** The log of one container, whole or from its end, at once or line by line as it is written. */
export async function podLog(call: Call, logs: PodLogs): Promise<Answer> {
  if (call.request.method !== 'GET') throw methodNotAllowed();
  const pod = existing(call);
  const options = logOptions(call.query, Date.now());
  const container = containerOf(pod, call.query);
  checkWritten(pod, container, options);
  if (isTrue(call.query.get('follow')) && options.previous !== true) {
    if (!call.held.addStream(call.sender, call.response)) throw tooManyStreams();
    return { stream: (response) => follow({ pod, container, logs, options }, response) };
  }
  return { code: 200, text: await logs.read(pod, container, options), mediaType };
}

/** Without a source of logs a pod's log is its annotation of that name. */
export const annotatedLogs = (mark: string) =>
  ({
    read: (pod, _, options) => logText(annotatedLines(pod, mark), options),
    follow(pod, _, onLine, start = {}) {
      for (const { text, at } of linesFrom(annotatedLines(pod, mark), start)) void onLine(text, at);
      return { stop: () => {}, ended: Promise.resolve() };
    },
  }) satisfies PodLogs;

function annotatedLines({ metadata }: Stored, mark: string) {
  const log = metadata.annotations?.[mark] ?? '';
  const writtenAt = Date.parse(metadata.creationTimestamp);
  return log === ''
    ? []
    : log
        .replace(/\n$/, '')
        .split('\n')
        .map((text) => ({ text, at: writtenAt }));
}

/** Refuses a log that was not begun, in the words of a kubelet. */
export function checkWritten(pod: Stored, container: string, { previous }: LogOptions): void {
  const status = containerStatusOf(pod, container);
  const which = `container "${container}" in pod "${pod.metadata.name}"`;
  if (previous === true) {
    if (at(status, 'lastState', 'terminated') !== undefined) return;
    throw badRequest(`previous terminated ${which} not found`);
  }
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  if (waiting === '' || at(status, 'lastState', 'terminated') !== undefined) return;
  throw badRequest(`${which} is waiting to start: ${waitingWords[waiting] ?? waiting}`);
}

const waitingWords: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
};

/** What a query asks of a log, counted back from now. */
export function logOptions(query: URLSearchParams, now: number): LogOptions {
  const tailLines = countOf(query, 'tailLines', 0);
  const limitBytes = countOf(query, 'limitBytes', 1);
  const sinceMs = sinceOf(query, now);
  return {
    ...(tailLines !== null && { tailLines }),
    ...(limitBytes !== null && { limitBytes }),
    ...(sinceMs !== null && { sinceMs }),
    timestamps: isTrue(query.get('timestamps')),
    previous: isTrue(query.get('previous')),
  };
}

function sinceOf(query: URLSearchParams, now: number): number | null {
  const seconds = countOf(query, 'sinceSeconds', 1);
  const time = query.get('sinceTime') ?? '';
  if (seconds !== null && time !== '')
    throw refused('', 'Forbidden', 'at most one of `sinceTime` or `sinceSeconds` may be specified');
  if (seconds !== null) return now - seconds * 1_000;
  if (time === '') return null;
  const parsed = Date.parse(time);
  if (Number.isNaN(parsed)) throw badRequest(`sinceTime: Invalid value: ${JSON.stringify(time)}: must be a time`);
  return parsed;
}

type Count = 'tailLines' | 'limitBytes' | 'sinceSeconds';

function countOf(query: URLSearchParams, name: Count, least: 0 | 1): number | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const count = Number(text);
  if (Number.isInteger(count) && count >= least) return count;
  const bound = least === 1 ? 'must be greater than 0' : 'must be greater than or equal to 0';
  throw refused(name, `Invalid value: ${text}`, bound);
}

const refused = (field: string, kind: string, why: string) =>
  new StatusError(422, 'Invalid', `PodLogOptions "" is invalid: ${field === '' ? '' : `${field}: `}${kind}: ${why}`);

interface Followed {
  readonly pod: Stored;
  readonly container: string;
  readonly logs: PodLogs;
  readonly options: LogOptions;
}

function follow({ pod, container, logs, options }: Followed, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': mediaType });
  response.flushHeaders();
  const { limitBytes = Infinity, timestamps } = options;
  let room = limitBytes;
  let begins = true;
  const onLine = (text: string, at: number, isPart = false) => {
    if (room <= 0) return;
    const line = Buffer.from(`${timestamps && begins ? stampedLine({ text, at }) : text}${isPart ? '' : '\n'}`);
    begins = !isPart;
    const isRoomy = response.write(line.length > room ? line.subarray(0, room) : line);
    room -= line.length;
    if (room <= 0) response.end();
    return isRoomy || room <= 0 ? undefined : drained(response);
  };
  const followed = logs.follow(pod, container, onLine, options);
  followed.ended.then(
    () => response.end(),
    (why: unknown) => response.destroy(why instanceof Error ? why : new Error(String(why))),
  );
  response.once('close', followed.stop);
}

/** Resolves when a client took what was sent, or is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((done) => {
    const over = () => {
      response.off('drain', over).off('close', over);
      done();
    };
    response.once('drain', over).once('close', over);
  });
