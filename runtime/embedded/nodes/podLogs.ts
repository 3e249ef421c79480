import { annotation } from '../../../crds/names.ts';
import type { PodLogs } from '../api/podLogs.ts';
import type { Store } from '../store.ts';
import type { Clock } from './clock.ts';
import { planKept } from './plan.ts';
import { statusesOf } from './podStatus.ts';
import { progressAt } from './progress.ts';
import { render } from './render.ts';
import { type Pod, bucket, isOver, keyOf, placeOf } from './shapes.ts';
import { type Moment, failsFirst } from './timeline.ts';

/** The lines written up to a moment; `nextAt` when the next one may come by itself, `run` counts the restarts. */
interface Written {
  readonly lines: readonly string[];
  readonly nextAt: number;
  readonly over: boolean;
  readonly run: number;
}

/** Logs by rule, or the annotation that stands for one. They are derived anew each time, so a restart loses none. */
export function createPodLogs(store: Store, clock: Clock) {
  const followers = new Map<string, Set<() => void>>();
  const all = new Set<() => void>();

  const read: PodLogs['read'] = (stored, container, { tailLines, limitBytes }) => {
    const { lines } = writtenBy(stored as Pod, container, clock.now());
    const kept = tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - tailLines));
    return firstBytes(kept.map((line) => `${line}\n`).join(''), limitBytes);
  };

  const follow: PodLogs['follow'] = (stored, container, onLine) => {
    const key = keyOf(stored);
    let said = 0;
    let run: number | null = null;
    let cancel = () => {};
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const stop = () => {
      cancel();
      all.delete(stop);
      const others = followers.get(key);
      others?.delete(look);
      if (others?.size === 0) followers.delete(key);
      end();
    };
    const look = () => {
      cancel();
      const found = store.get(placeOf(bucket.pods, stored)) as Pod | undefined;
      const there = found?.metadata.uid === stored.metadata.uid;
      const written = writtenBy(there ? found : (stored as Pod), container, clock.now());
      run ??= written.run;
      if (written.run !== run) return stop();
      for (const line of written.lines.slice(said)) onLine(line);
      said = Math.max(said, written.lines.length);
      if (written.over || !there) stop();
      else if (Number.isFinite(written.nextAt)) cancel = clock.at(written.nextAt, look);
    };
    followers.set(key, (followers.get(key) ?? new Set()).add(look));
    all.add(stop);
    look();
    return { stop, ended };
  };

  return {
    podLogs: { read, follow },
    /** The pod of that key changed or went away. */
    changed: (key: string) => [...(followers.get(key) ?? [])].forEach((look) => look()),
    stop: () => [...all].forEach((stop) => stop()),
  };
}

function writtenBy(pod: Pod, name: string, now: number): Written {
  const text = pod.metadata.annotations?.[annotation.podLog];
  if (text !== undefined) return { lines: linesOf(text), nextAt: Infinity, over: isOver(pod), run: 0 };
  const plan = planKept(pod);
  const until = Math.min(now, stoppedAt(pod, name));
  const progress = plan && progressAt(pod, plan, until);
  const step = progress && [...progress.init, ...progress.main].find(({ container }) => container.name === name);
  const course = plan?.containers[name];
  if (!step || !course || step.moment.is === 'notYet')
    return { lines: [], nextAt: progress?.until ?? Infinity, over: isOver(pod), run: 0 };
  const { moment, container } = step;
  const log = failsFirst(course, moment.restarts) ? course.failedLog : course.log;
  const { lines, nextAt } = linesBy(linesOf(log), course.afterSeconds, startOf(moment), until);
  return {
    lines: lines.map(({ text, at }) => render(text, pod, container, at)),
    nextAt: Math.min(nextAt, 'until' in moment ? moment.until : Infinity),
    over: isOver(pod) || moment.is !== 'running',
    run: moment.restarts,
  };
}

/** The moment after which a container wrote nothing: the end its status tells, for it may have been killed. */
function stoppedAt(pod: Pod, name: string): number {
  const state = statusesOf(pod.status).find((status) => status.name === name)?.state;
  const wholeSecond = 999;
  return state && 'terminated' in state ? Date.parse(state.terminated.finishedAt) + wholeSecond : Infinity;
}

const startOf = (moment: Moment) =>
  moment.is === 'running' ? moment.startedAt : moment.is === 'ended' ? moment.run.startedAt : moment.last.startedAt;

/** Lines spread evenly over a run; over one without an end, one each second. */
function linesBy(texts: readonly string[], afterSeconds: number | null, startedAt: number, now: number) {
  const apart = afterSeconds === null ? 1000 : (afterSeconds * 1000) / (texts.length + 1);
  const timed = texts.map((text, index) => ({ text, at: startedAt + Math.round(apart * (index + 1)) }));
  const lines = timed.filter(({ at }) => at <= now);
  return { lines, nextAt: timed[lines.length]?.at ?? Infinity };
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** The first bytes of a text, without half a character at the end. */
function firstBytes(text: string, limit: number | undefined): string {
  if (limit === undefined || Buffer.byteLength(text) <= limit) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, limit), { stream: true });
}
