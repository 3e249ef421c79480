import type { PodItem } from '../../../../api.ts';

/** What a copy of a service is, in a word and, where it is not well, why. */
export interface PodState {
  readonly state: string;
  readonly label: string;
  readonly why: string;
}

const broken = /BackOff|^Err|Error|Invalid|OOMKilled|CannotRun/;

export function podState({ phase, ready, containers }: PodItem): PodState {
  if (phase === 'Terminating') return { state: 'Deleting', label: 'Stopping', why: '' };
  if (ready) return { state: 'Ready', label: 'Ready', why: '' };
  const why = containers.find(({ ready: is, reason }) => !is && reason !== '')?.reason ?? '';
  const isBroken = phase === 'Failed' || broken.test(why);
  return { state: isBroken ? 'Failed' : 'Starting', label: isBroken ? 'Failing' : 'Starting', why };
}
