import { hashOf } from '../canonical.ts';

export const functionConfigName = (app: string): string => `${app}-function`;
export const triggerSecretName = (app: string): string => `${app}-trigger`;

/** The variable, and the key of the Secret, that hold the token of scheduled calls (002 Authentication, rule 10). */
export const triggerToken = 'CORE_TRIGGER_TOKEN';

/** The longest name of a CronJob: its Jobs append eleven characters to it. */
const maxCronJob = 52;
const hashLength = 10;

/** The longest name of a schedule that fits into its CronJob's name. */
export const maxTrigger = (app: string): number => maxCronJob - app.length - 1;

/**
 * The name of the CronJob of a schedule. With a hyphen, a hash makes it unique: `b-c` of `a` is not `c` of `a-b`. A
 * name that looks like a hash is hashed, too.
 */
export function cronJobName(app: string, schedule: string): string {
  const plain = `${app}-${schedule}`;
  const looksHashed = schedule.length === hashLength && /^[0-9a-f]+$/.test(schedule);
  if (!schedule.includes('-') && !looksHashed && plain.length <= maxCronJob) return plain;
  const kept = plain.slice(0, maxCronJob - hashLength - 1).replace(/[-.]+$/, '');
  return `${kept}-${hashOf([app, schedule]).slice(0, hashLength)}`;
}
