import type { Summary } from '../../../http/api.ts';

/** A service as lists give it. */
export const summary = (name: string, over: Partial<Summary> = {}): Summary => ({
  kind: 'CoreApp',
  name,
  displayName: name,
  project: 'shop',
  environment: 'production',
  state: 'ready',
  message: '',
  createdAt: '',
  url: '',
  cause: null,
  details: {},
  ...over,
});
