import type { AppSpec } from '../../crds/coreApp.ts';

/** Whether a function gets the token of scheduled calls: a handler, or one with schedules (002 Authentication, rule 10). */
export function isTriggered({ source: { function: code } }: AppSpec): boolean {
  if (!code) return false;
  return code.mode === 'event' || (code.handler ?? '') !== '' || (code.schedules ?? []).length > 0;
}
