import { get, type Op } from '../ops.ts';

/** A call and what it must answer, on every cluster; `…` at the end stands for anything. */
export type Step = readonly [call: Op, answer: string];

/** One thing that a Kubernetes API does, told in calls and answers. */
export interface Case {
  readonly title: string;
  readonly steps: readonly Step[];
  /** What a watch from before the first call tells of builds, in this order. */
  readonly builds?: readonly string[];
}

/** How a build without anything of its own reads, defaults filled in. */
export const plain = '{"spec":{"cache":false,"waitForCI":false}}';
/** How a build reads that clones with a Secret, which is what of its spec may be changed. */
export const at = (secret: string) =>
  `{"spec":{"cache":false,"gitCredentialRef":{"name":"${secret}"},"waitForCI":false}}`;
/** How a build reads whose status is set. */
export const being = (status: string) => `{"spec":{"cache":false,"waitForCI":false},"status":${status}}`;

export const removed = 'removed';
export const noBuild = (name: string) => `NotFound: corebuilds.core.platform "${name}" not found`;
export const changedBetween = (name: string) =>
  `Conflict: Operation cannot be fulfilled on corebuilds.core.platform "${name}": the object has been modified;…`;

export const isGone = (name: string): Step => [get('build', name), noBuild(name)];
