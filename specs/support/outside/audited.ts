import { auditText } from '../../audit/audit.ts';
import { fetchRecordings } from '../../audit/sources.ts';
import { auditTables } from '../../audit/tables.ts';
import { lifecycleNames } from '../../check/lifecycles.ts';
import { password, type Product } from '../product.ts';

/** What the audit says of every machine of a running product; it is empty where each move is an arrow of its table. */
export async function auditFaults({ endpoints }: Product): Promise<readonly string[]> {
  const recorded = await fetchRecordings({ url: endpoints.dashboard ?? '', user: 'admin', password });
  const { lines, exit } = auditText(recorded, auditTables(lifecycleNames()), { now: Date.now(), lateMs: 60_000 });
  return exit === 0 ? [] : lines;
}
