import type { RecordContent } from './wanted.ts';

export interface DnsRecord extends RecordContent {
  readonly id: string;
}

/** The change of one record. */
export type RecordChange =
  | { readonly does: 'create'; readonly name: string; readonly record: RecordContent }
  | { readonly does: 'change'; readonly name: string; readonly record: DnsRecord }
  | { readonly does: 'remove'; readonly name: string; readonly id: string }
  /** An external record of that name differs. */
  | { readonly does: 'nothing'; readonly name: string; readonly why: string };

const leads: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);
const textOf = (one: RecordContent): string => `${one.type} ${one.name.toLowerCase()} ${one.content.toLowerCase()}`;

/**
 * The changes that make the records of a zone match the desired ones. External records are never changed or removed; an
 * equal one is used.
 */
export function recordChanges(
  wanted: readonly RecordContent[],
  found: readonly DnsRecord[],
  comment: string,
): readonly RecordChange[] {
  const byText = new Map(found.map((one) => [textOf(one), one]));
  const texts = new Set(wanted.map(textOf));
  const isOurs = (one: DnsRecord) => one.comment === comment;
  const unmanaged = new Set(
    found.filter((one) => !isOurs(one) && leads.has(one.type)).map(({ name }) => name.toLowerCase()),
  );
  const isTaken = ({ name }: RecordContent) => unmanaged.has(name.toLowerCase());
  const spare = found.filter((one) => isOurs(one) && !texts.has(textOf(one)));
  const reused = reusedFor(
    wanted.filter((record) => !byText.has(textOf(record)) && !isTaken(record)),
    spare,
  );

  const changes = wanted.flatMap((record): readonly RecordChange[] => {
    const { name } = record;
    const live = byText.get(textOf(record));
    if (live)
      return isOurs(live) && !live.proxied ? [{ does: 'change', name, record: { ...record, id: live.id } }] : [];
    if (isTaken(record)) return [{ does: 'nothing', name, why: `${name} has a record that Core did not make` }];
    const old = reused.get(record);
    return [old ? { does: 'change', name, record: { ...record, id: old.id } } : { does: 'create', name, record }];
  });
  const kept = new Set(reused.values());
  const removed = spare
    .filter((one) => !kept.has(one))
    .map(({ id, name }): RecordChange => ({ does: 'remove', name, id }));
  // A CNAME excludes other records of its name, so removals come first.
  return [...removed, ...changes];
}

/**
 * Which existing record is reused for which desired one: of the same name first, then of its type, so that a host
 * changes in one call.
 */
function reusedFor(
  missing: readonly RecordContent[],
  spare: readonly DnsRecord[],
): ReadonlyMap<RecordContent, DnsRecord> {
  const found = new Map<RecordContent, DnsRecord>();
  const left = new Set(spare);
  const take = (record: RecordContent, fits: (one: DnsRecord) => boolean) => {
    const old = [...left].find((one) => one.type === record.type && fits(one));
    if (old === undefined) return;
    left.delete(old);
    found.set(record, old);
  };
  if (spare.length === 0) return found;
  for (const record of missing) take(record, ({ name }) => name === record.name);
  for (const record of missing) if (!found.has(record)) take(record, () => true);
  return found;
}

/** Whether every record of a host is in place. */
export const isInPlace = (host: string, wanted: readonly RecordContent[], changes: readonly RecordChange[]): boolean =>
  wanted.some(({ name }) => name === host) && !changes.some(({ name, does }) => name === host && does !== 'remove');
