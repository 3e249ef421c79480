import type { LogicalDatabaseFacts, LogicalDatabaseRead } from './facts.ts';

/** What is not known yet is taken for fine: the rule of an obstacle needs the fact that it reads. */
export const readOf = ({ created, connection, adminLogin, job }: LogicalDatabaseFacts): LogicalDatabaseRead => ({
  created,
  connection: connection.is !== 'known' || connection.value,
  adminLogin: adminLogin.is !== 'known' || adminLogin.value,
  job: job.is === 'known' && job.value.is === 'present' ? job.value.outcome : 'absent',
});
