import type { AuditTable } from '../../runtime/audit.ts';
import { tableOf } from '../check/check.ts';
import { statesOf } from '../tables/parse.ts';

/** The tables of these lifecycles, ready to hold a trace to. */
export const auditTables = (names: readonly string[]): ReadonlyMap<string, AuditTable> =>
  new Map(
    names.map((name) => {
      const table = tableOf(name);
      return [name, { ...table, states: [...statesOf(table), '(none)'] }];
    }),
  );
