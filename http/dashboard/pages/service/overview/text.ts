import type { StatusItem } from '../../../../api.ts';
import { usual } from '../../../../../rules/service/effective.ts';
import { capital } from '../../../model/capital.ts';

/** Whether a service sleeps, and why it does not, in words. */
export interface Sleep {
  readonly label: string;
  /** What follows from it, or what keeps the service awake. */
  readonly text: string;
  /** Whether the settings of the clusters decide it. */
  readonly isOfCluster: boolean;
}

/** What to do about a reason that keeps a service awake. */
const helps: readonly (readonly [reason: string, help: string])[] = [
  ['host', 'Set a host in the settings of the service.'],
  ['autoscaling', 'Turn off Follow the load in the settings of the service.'],
];

const helpOf = (message: string): string => helps.find(([reason]) => message.includes(reason))?.[1] ?? '';

/** What became of the wish to sleep; null where nobody asked for it. */
export function sleepOf({ sleeping, scaleToZero }: Pick<StatusItem, 'sleeping' | 'scaleToZero'>): Sleep | null {
  if (scaleToZero === null) return null;
  const told = (word: string, text: string): Sleep => ({ label: word, text, isOfCluster: false });
  if (sleeping) return told('Asleep', 'No copy runs. The next request wakes the service.');
  const { active, message = '', idleSeconds } = scaleToZero;
  if (active === true)
    return told('Awake', `Falls asleep after ${idleSeconds ?? usual.idleSeconds} seconds without a request.`);
  if (active === undefined) return told('Requested', 'The cluster has not reported yet whether the service can sleep.');
  return {
    label: 'Cannot sleep',
    text: [`${capital(message)}.`, helpOf(message)].filter((part) => part !== '').join(' '),
    isOfCluster: message.includes('add-on'),
  };
}
