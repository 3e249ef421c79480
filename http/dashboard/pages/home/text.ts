import { definitionsToApply } from '../../../../rules/kindsRelease.ts';
import type { Platform, StatusItem, Summary } from '../../../api.ts';
import { detailOf } from '../../model/details.ts';

/** One step of a service on its way to running. */
export interface Step {
  readonly label: string;
  readonly is: 'done' | 'current' | 'failed' | 'later';
}

type Build = StatusItem['build'];

interface Reached {
  readonly done: boolean;
  /** What it is called once it is done, and before. */
  readonly words: readonly [done: string, before: string];
}

const isBuilt = (service: Summary, build: Build): boolean =>
  build?.phase === 'Succeeded' || detailOf(service, 'resolvedImage') !== '';
const isPushed = (service: Summary, build: Build): boolean =>
  isBuilt(service, build) || (build?.sourceRevision ?? '') !== '';

const buildSteps = (service: Summary, build: Build): readonly Reached[] =>
  service.details['source'] === 'git'
    ? [
        { done: isPushed(service, build), words: ['Push received', 'Waiting for your first push'] },
        { done: isBuilt(service, build), words: ['Built', 'Building'] },
      ]
    : [];

const hasFailed = (service: Summary, build: Build): boolean =>
  service.state === 'failed' || (isPushed(service, build) && build?.phase === 'Failed');

/** How far a service is: saved, deployed, for a repository pushed and built, and running. */
export function stepsOf(service: Summary, build: Build): readonly Step[] {
  const isRunning = service.state === 'ready';
  const reached: readonly Reached[] = [
    { done: true, words: ['Saved', 'Saved'] },
    { done: service.state !== 'draft', words: ['Deployed', 'Waiting for a deploy'] },
    ...buildSteps(service, build),
    { done: isRunning, words: ['Running', 'Starting'] },
  ];
  const current = reached.findIndex(({ done }) => !done && !isRunning);
  return reached.map(({ done, words: [after, before] }, index): Step => {
    if (done || isRunning) return { label: after, is: 'done' };
    if (index > current) return { label: after, is: 'later' };
    return { label: before, is: hasFailed(service, build) ? 'failed' : 'current' };
  });
}

/** Whether a repository is still to be pushed to. */
export const awaitsPush = (service: Summary, build: Build): boolean =>
  service.details['source'] === 'git' && service.state !== 'ready' && !isPushed(service, build);
export const readOnlyHelp = 'Read-only access: ask an admin to deploy or change.';
export const newProjectHelp = 'Starts with a production environment on the default cluster.';
export const noProblems = 'No problems.';

/** What is to be done where the kinds are older than the program; null where nothing is. */
export function olderKinds(release: Platform['release']): string | null {
  const file = definitionsToApply(release);
  return file && `The kinds are of ${release.kinds}, this is ${release.program}: apply ${file}`;
}
