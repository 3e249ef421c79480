import type { StartingPod } from '../pods.ts';
import type { ObjectRef } from './cause.ts';
import type { VolumeEvent } from './creating.ts';

/** What a Job does for an object: installs its chart, loads its backup, creates its database. */
export type JobRole = 'chart' | 'restore' | 'create';

/** A Job that works for an object, and its pods. */
export interface JobSeen {
  readonly on: ObjectRef;
  /** When it was created. */
  readonly startedAt: string;
  readonly pods: readonly StartingPod[];
  /** What the Events of a pod said about its volumes, by the uid of the pod; undefined while they were not read. */
  readonly volumeEvent: (uid: string) => VolumeEvent | undefined;
  /** The values of Secrets that its pods read. */
  readonly secrets: () => readonly string[];
  readonly now: number;
}
