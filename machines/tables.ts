import type { Table } from './table.ts';
import compiled from './tables.json' with { type: 'json' };

/** The tables of all machines, by the machine's name, as `npm run build` compiled them from specs/tables. */
export const tables: Readonly<Record<keyof typeof compiled, Table>> = compiled;
