import { plural } from '../../../model/plural.ts';

/** What a database answered to a statement. */
export interface QueryResult {
  readonly output: string;
  readonly truncated: boolean;
  readonly exitCode: number;
}

/** A statement is ended after this long. */
export const statementMs = 30_000;

const programs: Readonly<Record<string, string>> = {
  Postgres: 'Runs in psql as the login app.',
  MySQL: 'Runs in mysql as the login app.',
  SQLite: 'Runs in the SQLite client.',
  Redis: 'Runs in redis-cli: a command, not SQL.',
};

/** What runs a statement, by the engine. */
export const programWord = (engine: string): string => programs[engine] ?? '';

/** How a statement ended and how long it took. */
export function endWord({ exitCode, truncated, output }: QueryResult, tookMs: number): string {
  const lines = output === '' ? 0 : output.replace(/\n$/, '').split('\n').length;
  const end = exitCode === 0 ? plural(lines, 'line') : `exit code ${exitCode}`;
  return `${end} in ${(tookMs / 1000).toFixed(1)} s${truncated ? ', cut off at 1 MiB' : ''}`;
}
export const onlyAdmins = 'Only admins run statements.';
export const notRecorded = 'Statements are not recorded.';
