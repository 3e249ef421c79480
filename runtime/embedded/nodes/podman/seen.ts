import { uptime } from 'node:os';
import { at, listAt, textAt, wordOf } from '../../api/json.ts';
import { label } from './labels.ts';

/** One run of a container as its runtime tells of it. */
export interface SeenContainer {
  readonly id: string;
  readonly name: string;
  readonly run: number;
  readonly strikes: number;
  readonly state: 'created' | 'running' | 'exited';
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly exitCode: number;
  readonly oomKilled: boolean;
  /** Why it could not be started, in the words of the runtime. */
  readonly error: string;
  readonly imageId: string;
  readonly pid: number;
  /** What asks it to end. */
  readonly stopSignal: string;
  /** What it ran in is there no more. */
  readonly isGone?: true;
}

/** What of a pod is there. */
export interface SeenPod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** The pod of podman in which its containers run; null where there is none, or one that does not run. */
  readonly sandbox: Sandbox | null;
  readonly containers: readonly SeenContainer[];
}

export interface Sandbox {
  readonly id: string;
  readonly running: boolean;
  readonly address: string;
}

/** The labels that podman tells of something that was inspected. */
export const labelsIn = (inspected: unknown): Readonly<Record<string, string>> =>
  (at(inspected, 'Config', 'Labels') ?? at(inspected, 'Labels') ?? {}) as Record<string, string>;

/** A container that was inspected; null for one that is not a container of a pod of ours. */
export function seenContainer(inspected: unknown): SeenContainer | null {
  const labels = labelsIn(inspected);
  const name = labels[label.container];
  if (name === undefined) return null;
  const state = stateOf(textAt(inspected, 'State', 'Status'));
  const startedAt = timeOf(inspected, 'StartedAt');
  const finishedAt = timeOf(inspected, 'FinishedAt');
  return {
    id: textAt(inspected, 'Id'),
    name,
    run: Number(labels[label.run] ?? 0),
    strikes: Number(labels[label.strikes] ?? 0),
    state,
    startedAt,
    finishedAt,
    exitCode: Number(at(inspected, 'State', 'ExitCode') ?? 0),
    oomKilled: at(inspected, 'State', 'OOMKilled') === true,
    error: textAt(inspected, 'State', 'Error'),
    imageId: textAt(inspected, 'Image'),
    pid: Number(at(inspected, 'State', 'Pid') ?? 0),
    stopSignal: wordOf(at(inspected, 'Config', 'StopSignal') ?? 15),
    ...(state === 'created' && startedAt > 0 && endedUnseen(startedAt, finishedAt)),
  };
}

export const killedCode = 137;
export const lost = 'ContainerStatusUnknown';

/** Of a run that the machine took down with it podman knows only its start; of one prepared for another start, no exit code. */
const endedUnseen = (startedAt: number, finishedAt: number) => {
  const upSince = Math.floor(Date.now() / 1_000 - uptime()) * 1_000;
  const endedAt = Math.max(startedAt, finishedAt, upSince);
  return { state: 'exited', finishedAt: endedAt, exitCode: killedCode, error: lost } as const;
};

function stateOf(status: string): SeenContainer['state'] {
  if (status === 'running' || status === 'paused' || status === 'stopping') return 'running';
  return status === 'exited' || status === 'stopped' ? 'exited' : 'created';
}

/** A time of podman, which is in the year 1 where nothing happened yet. */
function timeOf(inspected: unknown, field: string): number {
  const time = Date.parse(textAt(inspected, 'State', field));
  return Number.isNaN(time) || time < 0 ? 0 : time;
}

/** A pod of podman that was inspected. */
export function seenSandbox(inspected: unknown): Sandbox {
  const infra = textAt(inspected, 'InfraContainerID');
  const states = listAt(inspected, 'Containers');
  const own = states.find((one) => textAt(one, 'Id') === infra);
  return {
    id: textAt(inspected, 'Id'),
    running: textAt(own, 'State') === 'running',
    address: labelsIn(inspected)[label.address] ?? '',
  };
}

/** The newest run of a container. */
export const newestOf = ({ containers }: SeenPod, name: string): SeenContainer | undefined =>
  containers.filter((one) => one.name === name).reduce<SeenContainer | undefined>(newer, undefined);

const newer = (a: SeenContainer | undefined, b: SeenContainer) => (a && a.run > b.run ? a : b);
