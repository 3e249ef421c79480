import { tables } from '../../machines/tables.ts';
import type { AuditTable } from '../../runtime/step/audit.ts';

const isName = (name: string): name is keyof typeof tables => name in tables;

/** The tables of these lifecycles, ready to hold a trace to. */
export const auditTables = (names: readonly string[]): ReadonlyMap<string, AuditTable> =>
  new Map(
    names.filter(isName).map((name) => {
      const table = tables[name];
      return [name, { ...table, states: [...table.states, '(none)'], file: `specs/tables/${name}.md` }];
    }),
  );
