import type { KubeObject } from '../../crds/kind.ts';
import { group } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { isListed } from '../../rules/redaction/redact.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { ChangeNotice } from '../api.ts';
import { sse } from './channel.ts';
import type { Outlets } from './outlets.ts';

/** A notice as text for the stream, with the time of the change. */
interface Noticed {
  readonly kind: string;
  readonly at: number;
  readonly piece: string;
}

/** Notices of changed objects, of every kind that the caches hold: which one is to be read again. */
export interface Changes {
  /** The last notice of each object that changed since a time, as far as a view lists its kind. */
  readonly since: (at: number, view: View) => readonly Noticed[];
  readonly stop: () => void;
}

/** Enough for every object that changes while a client is away for a minute. */
const noticesKept = 10_000;

interface Placed extends KubeObject {
  readonly spec?: { readonly project?: string; readonly environment?: string };
}

const noticeOf = (kind: string, { metadata, spec = {} }: Placed, deleted: boolean): ChangeNotice => ({
  kind,
  name: metadata.name,
  project: kind === 'CoreProject' ? metadata.name : (spec.project ?? ''),
  environment: spec.environment ?? '',
  version: metadata.resourceVersion ?? '',
  deleted,
});

export function makeChanges(operator: Operator, { heard, send }: Outlets, now: () => number): Changes {
  const noticed = new Map<string, Noticed>();

  const keep = (key: string, one: Noticed) => {
    // The order of the map is the order of the changes.
    noticed.delete(key);
    noticed.set(key, one);
    const [oldest] = noticed.keys();
    if (noticed.size > noticesKept && oldest !== undefined) noticed.delete(oldest);
  };

  const unsubscribers = operator.caches.all
    .filter(({ resource }) => resource.group === group)
    .map((cache) =>
      cache.onChange(({ type, object, initial }) => {
        if (initial) return;
        const { kind } = cache.resource;
        const piece = sse('change', JSON.stringify(noticeOf(kind, object, type === 'deleted')));
        keep(`${kind} ${object.metadata.name}`, { kind, at: now(), piece });
        for (const view of heard()) if (isListed(kind, view)) send(view, piece);
      }),
    );

  return {
    since: (at, view) => [...noticed.values()].filter((one) => one.at >= at && isListed(one.kind, view)),
    stop: () => {
      for (const unsubscribe of unsubscribers) unsubscribe();
    },
  };
}
