import type { LogicalDatabaseFacts, LogicalDatabaseRead } from './facts.ts';

/** Facts that are not known count as fine, because the rule of each obstacle requires the fact that it reads. */
export const readOf = ({ created, connection, adminLogin, job }: LogicalDatabaseFacts): LogicalDatabaseRead => ({
  created,
  connection: connection.is !== 'known' || connection.value,
  adminLogin: adminLogin.is !== 'known' || adminLogin.value,
  job: job.is === 'known' && job.value.is === 'present' ? job.value.outcome : 'absent',
});
