import { readFileSync } from 'node:fs';
import type { Server, ServerStatus } from '../../../../runtime/local/addons/postgres/server.ts';

/** The status of a server with its conditions as `status reason: message`; null where something is gone. */
export type Status = {
  readonly [Field in Exclude<keyof ServerStatus, 'conditions'>]?: ServerStatus[Field] | null;
} & {
  readonly [Type in (typeof conditionTypes)[number]]?: string | null;
};

/** What happened at a time, in seconds: the operator reported, a pod became something, or a person did something. */
export interface TraceEvent {
  readonly at: number;
  readonly status?: Status;
  readonly pod?: string;
  readonly is?: string;
  readonly role?: string;
  readonly does?: { readonly patch?: object; readonly lose?: string };
}

/** One scenario, as CloudNativePG 1.30 on Kubernetes 1.36 went through it. */
export interface Trace {
  readonly scenario: string;
  readonly spec: NonNullable<Server['spec']>;
  readonly before: ServerStatus & Status;
  readonly events: readonly TraceEvent[];
}

const fields = [
  'phase',
  'phaseReason',
  'instances',
  'instanceNames',
  'readyInstances',
  'currentPrimary',
  'targetPrimary',
  'instancesStatus',
  'image',
  'pgDataImageInfo',
] as const satisfies readonly (keyof ServerStatus)[];
const conditionTypes = ['Initialized', 'Ready', 'ContinuousArchiving', 'LastBackupSucceeded'] as const;

/** The status of a server as traces have it. */
export function statusOf({ status = {} }: Server): Status {
  const conditions = (status.conditions ?? [])
    .filter(({ type }) => conditionTypes.some((one) => one === type))
    .map(({ type, status: is, reason, message }) => [type, `${is} ${reason}: ${message}`]);
  const known = fields.filter((field) => status[field] !== undefined).map((field) => [field, status[field]]);
  return Object.fromEntries([...known, ...conditions]) as Status;
}

/** What was recorded under a name. */
export const recordedIn = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`traces/${file}.json`, import.meta.url), 'utf8'));

/** A scenario by its name. */
export const traceOf = (scenario: string): Trace => recordedIn(scenario) as Trace;
