import { type LogLine, type LogOptions, type PodLogs, linesFrom, logText } from '../api/podLogs.ts';
import type { Store, Stored } from '../store.ts';
import type { Clock } from './clock.ts';
import type { ContainerRuns } from './containerRuns.ts';
import { type ContainerPlan, planKept } from './plan.ts';
import { statusesOf } from './podStatus.ts';
import { progressAt } from './progress.ts';
import { render } from './render.ts';
import { type Container, type Pod, bucket, isOver, keyOf, placeOf } from './shapes.ts';
import { type Moment, failsFirst } from './timeline.ts';

/** The lines written up to a moment; `nextAt` when the next one may come by itself, `run` counts the restarts. */
interface Written {
  readonly lines: readonly LogLine[];
  readonly nextAt: number;
  readonly over: boolean;
  readonly run: number;
}

interface World {
  readonly store: Store;
  readonly clock: Clock;
  /** The annotation that stands for a log. */
  readonly mark: string;
  readonly linesOfRun: ContainerRuns['linesOf'];
}

/** Logs by rule, or the annotation that stands for one. They are derived anew each time, so a restart loses none. */
export function createPodLogs({ store, clock, mark, linesOfRun }: World) {
  const followers = new Map<string, Set<() => void>>();
  const all = new Set<() => void>();

  const read = (stored: Stored, container: string, options: LogOptions): string => {
    const pod = stored as Pod;
    const lines = options.previous
      ? writtenBefore({ pod, container, mark, linesOfRun }, clock.now())
      : writtenBy({ pod, container, mark, linesOfRun }, clock.now()).lines;
    return logText(lines, options);
  };

  const follow: PodLogs['follow'] = (stored, container, onLine, start = {}) => {
    const key = keyOf(stored);
    let said: number | null = null;
    let run: number | null = null;
    let cancel = () => {};
    let end = () => {};
    let fail: (why: unknown) => void = () => {};
    const ended = new Promise<void>((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
    const stop = () => {
      cancel();
      all.delete(stop);
      const others = followers.get(key);
      others?.delete(look);
      if (others?.size === 0) followers.delete(key);
      end();
    };
    const look = () => {
      try {
        goOn();
      } catch (why) {
        // Its turn may come by a timer, behind which nobody catches.
        fail(why);
        stop();
      }
    };
    const goOn = () => {
      cancel();
      const found = store.get(placeOf(bucket.pods, stored)) as Pod | undefined;
      const there = found?.metadata.uid === stored.metadata.uid;
      const written = writtenBy({ pod: there ? found : (stored as Pod), container, mark, linesOfRun }, clock.now());
      run ??= written.run;
      if (written.run !== run) return stop();
      const fresh = said === null ? linesFrom(written.lines, start) : written.lines.slice(said);
      for (const line of fresh) void onLine(line.text, line.at);
      said = Math.max(said ?? 0, written.lines.length);
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

/** Whose log is asked for, and where that of a program that runs is found. */
interface Asked {
  readonly pod: Pod;
  readonly container: string;
  readonly mark: string;
  readonly linesOfRun: ContainerRuns['linesOf'];
}

function writtenBy({ pod, container: name, mark, linesOfRun }: Asked, now: number): Written {
  const text = pod.metadata.annotations?.[mark];
  const writtenAt = Date.parse(pod.metadata.creationTimestamp);
  if (text !== undefined)
    return {
      lines: linesOf(text).map((line) => ({ text: line, at: writtenAt })),
      nextAt: Infinity,
      over: isOver(pod),
      run: 0,
    };
  const until = Math.min(now, stoppedAt(pod, name));
  const found = stepOf(pod, name, until);
  if (!found || found.moment.is === 'notYet')
    return { lines: [], nextAt: found?.nextAt ?? Infinity, over: isOver(pod), run: 0 };
  const { moment, container, course } = found;
  const run = { container, course, run: moment.restarts, from: startOf(moment), until, linesOfRun };
  const { lines, nextAt } = linesBy(pod, run);
  return {
    lines,
    nextAt: Math.min(nextAt, 'until' in moment ? moment.until : Infinity),
    over: isOver(pod) || moment.is !== 'running',
    run: moment.restarts,
  };
}

/** What the run before this one wrote; while a container waits to be run again that is its last. */
function writtenBefore({ pod, container: name, linesOfRun }: Asked, now: number): readonly LogLine[] {
  const found = stepOf(pod, name, now);
  if (!found || found.moment.is === 'notYet' || !found.moment.last) return [];
  const { moment, container, course } = found;
  const { startedAt, endedAt } = found.moment.last;
  const run = moment.is === 'backingOff' ? moment.restarts : moment.restarts - 1;
  return linesBy(pod, { container, course, run, from: startedAt, until: endedAt, linesOfRun }).lines;
}

/** Where a container is at a moment, and when its pod goes on by itself. */
function stepOf(pod: Pod, name: string, now: number) {
  const plan = planKept(pod);
  const progress = plan && progressAt(pod, plan, now);
  const steps = progress ? [...progress.init, ...progress.main, ...progress.ephemeral] : [];
  const step = steps.find(({ container }) => container.name === name);
  const course = plan?.containers[name];
  return progress && step && course ? { ...step, course, nextAt: progress.until } : null;
}

/** The moment after which a container wrote nothing: the end in its status, for it may have been killed. */
function stoppedAt(pod: Pod, name: string): number {
  const state = statusesOf(pod.status).find((status) => status.name === name)?.state;
  const wholeSecond = 999;
  return state && 'terminated' in state ? Date.parse(state.terminated.finishedAt) + wholeSecond : Infinity;
}

const startOf = (moment: Moment) =>
  moment.is === 'running' ? moment.startedAt : moment.is === 'ended' ? moment.run.startedAt : moment.last.startedAt;

interface Run {
  readonly container: Container;
  readonly course: ContainerPlan;
  readonly run: number;
  readonly from: number;
  readonly until: number;
  readonly linesOfRun: ContainerRuns['linesOf'];
}

/** Lines spread evenly over a run; over one without an end, one each second. */
function linesBy(pod: Pod, { container, course, run, from, until, linesOfRun }: Run) {
  if (course.runs === true) {
    const kept = (course.ends?.[run]?.log ?? []).map(([at, text]) => ({ at, text }));
    return { lines: linesOfRun(pod, container.name, run) ?? kept, nextAt: Infinity };
  }
  const texts = linesOf(failsFirst(course, run) ? course.failedLog : course.log);
  const { afterSeconds } = course;
  const apart = afterSeconds === null ? 1000 : (afterSeconds * 1000) / (texts.length + 1);
  const timed = texts.map((text, index) => ({ text, at: from + Math.round(apart * (index + 1)) }));
  const lines = timed.filter(({ at }) => at <= until);
  const nextAt = timed[lines.length]?.at ?? Infinity;
  return { lines: lines.map(({ text, at }) => ({ text: render(text, pod, container, at), at })), nextAt };
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
