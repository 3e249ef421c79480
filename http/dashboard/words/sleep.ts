import type { StatusItem } from '../../api.ts';

/** Whether a service sleeps, and why it does not, in words. */
export interface Sleep {
  readonly word: string;
  /** What follows from it, or what keeps the service awake. */
  readonly text: string;
}

/** What to do about a reason that keeps a service awake. */
const helps: readonly (readonly [reason: string, help: string])[] = [
  ['add-on', 'An admin switches it on with kubectl: spec.addons.serverless of the CoreCluster.'],
  ['host', 'Give it a host in its settings.'],
  ['autoscaling', 'Switch Follow the load off in its settings.'],
];

const helpOf = (message: string): string => helps.find(([reason]) => message.includes(reason))?.[1] ?? '';

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What became of the wish to sleep; null where nobody asked for it. */
export function sleepOf({ sleeping, scaleToZero }: Pick<StatusItem, 'sleeping' | 'scaleToZero'>): Sleep | null {
  if (scaleToZero === null) return null;
  if (sleeping) return { word: 'Asleep', text: 'No copy runs. The next request wakes it.' };
  const { active, message = '', idleSeconds } = scaleToZero;
  if (active === true)
    return { word: 'Awake', text: `Falls asleep after ${idleSeconds ?? 'some'} seconds without a request.` };
  if (active === undefined) return { word: 'Asked for', text: 'The cluster has not said yet whether it can sleep.' };
  return {
    word: 'Cannot sleep',
    text: [`${capital(message)}.`, helpOf(message)].filter((part) => part !== '').join(' '),
  };
}
