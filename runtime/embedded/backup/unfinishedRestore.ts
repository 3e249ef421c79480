/** Stands in a data directory until all of a backup is there: nothing may start from the half of one. */
export const unfinishedRestore = 'restoring';
