/** What goes with a logical database: all of it on a shared server, its entry alone on one of its own (LDB-057). */
export const logicalGoes = (isOnShared: boolean): readonly string[] =>
  isOnShared
    ? ['the database with all its data, and its login', 'its connection Secret']
    : ['its entry in this project'];

export const logicalStays = (isOnShared: boolean): readonly string[] => [
  ...(isOnShared ? [] : ['the database and its data on the server', 'its connection Secret']),
  'its history, for 30 days',
];
