import { databaseLimits, storageStarting } from '../../../../rules/database/limits.ts';
import type { Read } from '../../../api.ts';
import { attemptsOf } from '../../model/attempts.ts';
import { isExternal } from '../../model/databaseSettings.ts';
import { detailOf } from '../../model/details.ts';

interface Waiting {
  readonly text: string;
  readonly until: string;
}

/** Until when storage is waited for: 15 minutes from the beginning of the attempt. */
export function storageNotes(read: Read): readonly Waiting[] {
  const attempt = attemptsOf(read.status).find(({ completedAt }) => completedAt === null);
  if (read.resource.message !== storageStarting || !attempt?.startedAt) return [];
  const until = new Date(Date.parse(attempt.startedAt) + databaseLimits.storageWaitMs).toISOString();
  return [{ text: 'The storage class is missing; failures are counted in', until }];
}

const serverEngines: readonly string[] = ['Postgres', 'MySQL'];

/** Whether it holds logical databases. */
export const isServer = (read: Read): boolean =>
  !isExternal(read) && serverEngines.includes(detailOf(read.resource, 'engine'));
