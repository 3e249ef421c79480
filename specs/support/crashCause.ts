import type { StoredCause } from '../../crds/cause.ts';

/** A recorded cause: the program of a service ends again and again. */
export const crashCause: StoredCause = {
  of: 'Ready',
  reason: 'CrashLoop',
  severity: 'failure',
  message: 'the program ends by itself: exit code 1, 4 restarts',
  on: { kind: 'Deployment', name: 'web', namespace: 'shop-production' },
  since: '2026-01-01T12:00:00.000Z',
};
