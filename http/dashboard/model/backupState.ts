const words: Readonly<Record<string, string>> = {
  NeedsStorage: 'Needs storage',
  Starting: 'Starting',
  Protected: 'Protected',
  AtRisk: 'At risk',
};

/** The state of backups in words. */
export const backupWord = (state: string): string => words[state] ?? state;
