export const pageHelp = 'The backups of every database. They outlive it for as long as they are kept.';
export const noArchiveText = 'The first backup is created once a database with backups is ready.';
