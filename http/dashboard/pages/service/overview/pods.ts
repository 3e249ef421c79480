import type { PodItem } from '../../../../api.ts';

/** What a copy of a service is, in a word and, where it is not well, why. */
export interface PodState {
  readonly state: string;
  readonly label: string;
  readonly why: string;
  /** What to do about it; empty where nothing helps but to wait. */
  readonly help: string;
}

/** What to do about a reason for which a container does not run. */
const helps: readonly (readonly [RegExp, string])[] = [
  [
    /ImagePull|InvalidImageName|ErrImage/,
    'The image cannot be pulled: check its name, and the credentials of the registry.',
  ],
  [/CrashLoopBackOff|Error$/, 'The program exits: check what it needs to start.'],
  [/CreateContainerConfigError/, 'A Secret or variable that the container reads is missing.'],
  [/OOMKilled/, 'The container exceeds its memory limit.'],
];

const helpOf = (why: string): string => helps.find(([reason]) => reason.test(why))?.[1] ?? '';

const broken = /BackOff|^Err|Error|Invalid|OOMKilled|CannotRun/;

export function podState({ phase, ready, containers }: PodItem): PodState {
  if (phase === 'Terminating') return { state: 'Deleting', label: 'Stopping', why: '', help: '' };
  if (ready) return { state: 'Ready', label: 'Ready', why: '', help: '' };
  const why = containers.find(({ ready: is, reason }) => !is && reason !== '')?.reason ?? '';
  const isBroken = phase === 'Failed' || broken.test(why);
  return { state: isBroken ? 'Failed' : 'Starting', label: isBroken ? 'Failing' : 'Starting', why, help: helpOf(why) };
}
