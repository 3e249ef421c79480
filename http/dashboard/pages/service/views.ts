/** The views of a service, in the order of their tabs; `''` is the overview. */
export const serviceViews = [
  ['', 'Overview'],
  ['code', 'Code'],
  ['deployments', 'Deployments'],
  ['builds', 'Builds'],
  ['variables', 'Variables'],
  ['logs', 'Logs'],
  ['metrics', 'Metrics'],
  ['console', 'Console'],
  ['lifecycle', 'Lifecycle'],
  ['settings', 'Settings'],
] as const;

export type ServiceView = (typeof serviceViews)[number][0];

/** Views that services of one source alone have. */
const ofSource: Readonly<Partial<Record<ServiceView, string>>> = { code: 'function', builds: 'git' };

/** The tabs of a service by its source; all that every service has while that is not known. */
export const viewsFor = (source: string): readonly (readonly [ServiceView, string])[] =>
  serviceViews.filter(([view]) => ofSource[view] === undefined || ofSource[view] === source);

/** The view of an address; the overview for an unknown one. */
export const viewOf = (text: string): ServiceView => serviceViews.find(([name]) => name === text)?.[0] ?? '';
