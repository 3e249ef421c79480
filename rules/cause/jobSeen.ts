import type { StartingPod } from '../pods.ts';
import type { ObjectRef } from './cause.ts';

/** What a Job does for an object: installs its chart, loads its backup, creates its database. */
export type JobRole = 'chart' | 'restore' | 'create';

/** A Job that works for an object, and its pods. */
export interface JobSeen {
  readonly on: ObjectRef;
  /** When it was created. */
  readonly startedAt: string;
  readonly pods: readonly StartingPod[];
  /** The text of an Event about a volume of a pod, by the uid of the pod; undefined for none. */
  readonly volumeEvent: (uid: string) => string | undefined;
  /** The values of Secrets that its pods read. */
  readonly secrets: () => readonly string[];
  readonly now: number;
}
