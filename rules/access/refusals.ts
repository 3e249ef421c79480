/** The refusals of each role. */
export const ofRole = {
  changesNothing: 'your role changes nothing',
  readsNoLogs: 'your role reads no logs',
  readsNoVariables: 'your role reads no variables',
  adminOnly: 'only an admin may do this',
  opensNoConsole: 'Your viewer role cannot open consoles.',
} as const;

/** The refusals that depend on the role. */
export const roleRefusals: ReadonlySet<string> = new Set(Object.values(ofRole));
