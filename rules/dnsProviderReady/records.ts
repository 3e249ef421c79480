import type { RecordContent } from './wanted.ts';

export interface DnsRecord extends RecordContent {
  readonly id: string;
}

/** What is to be done with one record. */
export type RecordChange =
  | { readonly does: 'create'; readonly name: string; readonly record: RecordContent }
  | { readonly does: 'change'; readonly name: string; readonly record: DnsRecord }
  | { readonly does: 'remove'; readonly name: string; readonly id: string }
  /** Somebody else's record of that name says something else. */
  | { readonly does: 'nothing'; readonly name: string; readonly why: string };

const leads: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);
const says = (one: RecordContent): string => `${one.type} ${one.name.toLowerCase()} ${one.content.toLowerCase()}`;

/**
 * The changes that make the records of a zone as they are to be. What somebody else made and says the same is left as
 * it is; nothing of somebody else is changed or removed.
 */
export function recordChanges(
  wanted: readonly RecordContent[],
  found: readonly DnsRecord[],
  comment: string,
): readonly RecordChange[] {
  const byText = new Map(found.map((one) => [says(one), one]));
  const texts = new Set(wanted.map(says));
  const isOurs = (one: DnsRecord) => one.comment === comment;
  const spare = found.filter((one) => isOurs(one) && !texts.has(says(one)));
  const reused = new Set<string>();
  const foreign = new Set(
    found.filter((one) => !isOurs(one) && leads.has(one.type)).map(({ name }) => name.toLowerCase()),
  );

  const changes = wanted.flatMap((record): readonly RecordChange[] => {
    const { name } = record;
    const stands = byText.get(says(record));
    if (stands)
      return isOurs(stands) && !stands.proxied ? [{ does: 'change', name, record: { ...record, id: stands.id } }] : [];
    if (foreign.has(name.toLowerCase()))
      return [{ does: 'nothing', name, why: `${name} has a record that Core did not make` }];
    const old = spare.find((one) => one.name === name && one.type === record.type && !reused.has(one.id));
    if (!old) return [{ does: 'create', name, record }];
    reused.add(old.id);
    return [{ does: 'change', name, record: { ...record, id: old.id } }];
  });
  const removed = spare
    .filter(({ id }) => !reused.has(id))
    .map(({ id, name }): RecordChange => ({ does: 'remove', name, id }));
  // A CNAME stands beside nothing else of its name, so what goes goes first.
  return [...removed, ...changes];
}

/** Whether every record of a host is in place. */
export const isInPlace = (host: string, wanted: readonly RecordContent[], changes: readonly RecordChange[]): boolean =>
  wanted.some(({ name }) => name === host) && !changes.some(({ name, does }) => name === host && does !== 'remove');
