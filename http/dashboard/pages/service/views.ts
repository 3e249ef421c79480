/** The views of a service, in the order of their tabs; `''` is the overview. */
export const serviceViews = [
  ['', 'Overview'],
  ['deployments', 'Deployments'],
  ['builds', 'Builds'],
  ['variables', 'Variables'],
  ['logs', 'Logs'],
  ['metrics', 'Metrics'],
  ['lifecycle', 'Lifecycle'],
  ['settings', 'Settings'],
] as const;

export type ServiceView = (typeof serviceViews)[number][0];

/** The view of an address; the overview for an unknown one. */
export const viewOf = (text: string): ServiceView => serviceViews.find(([name]) => name === text)?.[0] ?? '';
