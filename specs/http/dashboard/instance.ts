import type { Instance } from '../../../http/api.ts';

/** An instance for a spec, with the given fields. */
export const instance = (about: Partial<Instance>): Instance => ({
  id: 'corebuilds:shop-build-1',
  kind: 'CoreBuild',
  name: 'shop-build-1',
  uid: 'u1',
  project: 'market',
  environment: 'production',
  machine: 'build',
  state: 'Running',
  shown: 'Running',
  since: '2026-01-01T00:00:00.000Z',
  reason: 'the builder Job runs',
  retrying: false,
  paused: false,
  columns: { app: 'shop', commit: 'abcdef' },
  failures: 0,
  ...about,
});
