import type { StatusItem } from '../../../../api.ts';
import { usual } from '../../../../../rules/service/effective.ts';
import { type SleepBlocker, sleepBlockerOf } from '../../../../../rules/service/sleep.ts';
import { capital } from '../../../model/capital.ts';

/** Whether a service sleeps, and why it does not, in words. */
export interface Sleep {
  readonly label: string;
  /** What follows from it, or what keeps the service awake. */
  readonly text: string;
  /** Whether the settings of the clusters decide it. */
  readonly isOfCluster: boolean;
}

/** What to do about what keeps a service awake. */
const helpOf: Readonly<Partial<Record<SleepBlocker, string>>> = {
  noHost: 'Set a host in the settings of the service.',
  autoscaling: 'Turn off Follow the load in the settings of the service.',
};

/** What the settings of the clusters decide. */
const ofCluster: readonly SleepBlocker[] = ['addOnOff', 'addOnNotServed', 'addOnRefused'];

/** What became of the wish to sleep; null where nobody asked for it. */
export function sleepOf({ sleeping, scaleToZero }: Pick<StatusItem, 'sleeping' | 'scaleToZero'>): Sleep | null {
  if (scaleToZero === null) return null;
  const sleep = (word: string, text: string): Sleep => ({ label: word, text, isOfCluster: false });
  if (sleeping) return sleep('Asleep', 'No copy runs. The next request wakes the service.');
  const { active, message = '', idleSeconds } = scaleToZero;
  if (active === true)
    return sleep('Awake', `Falls asleep after ${idleSeconds ?? usual.idleSeconds} seconds without a request.`);
  if (active === undefined)
    return sleep('Requested', 'The cluster has not reported yet whether the service can sleep.');
  const blocker = sleepBlockerOf(message);
  const help = blocker === null ? undefined : helpOf[blocker];
  return {
    label: 'Cannot sleep',
    text: [`${capital(message)}.`, help ?? ''].filter((part) => part !== '').join(' '),
    isOfCluster: blocker !== null && ofCluster.includes(blocker),
  };
}
