/** The machine of the logical database itself. */
export const logicalMachine = 'logicalDatabase';

/** The views of a logical database, in the order of their tabs; `''` is the overview. */
export const logicalViews = [
  ['', 'Overview'],
  ['connection', 'Connection'],
  ['lifecycle', 'Lifecycle'],
] as const;

export type LogicalView = (typeof logicalViews)[number][0];

/** Only admins read connections. */
export const logicalViewsFor = (isAdmin: boolean): readonly (readonly [LogicalView, string])[] =>
  logicalViews.filter(([view]) => view !== 'connection' || isAdmin);

/** The view of an address; the overview for an unknown one. */
export const logicalViewOf = (text: string): LogicalView => logicalViews.find(([name]) => name === text)?.[0] ?? '';

/** What goes with a logical database: all of it on a shared server, its entry alone on one of its own (LDB-057). */
export const logicalGoes = (isOnShared: boolean): readonly string[] =>
  isOnShared
    ? ['the database with all its data, and its login', 'its connection Secret']
    : ['its entry in this project'];

export const logicalStays = (isOnShared: boolean): readonly string[] => [
  ...(isOnShared ? [] : ['the database and its data on the server', 'its connection Secret']),
  'its history, for 30 days',
];
