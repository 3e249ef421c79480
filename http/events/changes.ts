import type { KubeObject } from '../../crds/kind.ts';
import { group, label } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { isListed } from '../../rules/redaction/redact.ts';
import { workloadPods } from '../../runtime/controllers/app/read.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { ChangeNotice } from '../routes/machines/events.ts';
import { sse } from './channel.ts';
import type { Outlets } from './outlets.ts';

/** A notice as text for the stream, with the time of the change. */
interface Noticed {
  readonly kind: string;
  readonly at: number;
  readonly chunk: string;
}

/**
 * Notices of changed objects, of every kind that the caches hold, and of the pods of services: which one is to be read
 * again.
 */
export interface Changes {
  /** The last notice of each object that changed since a time, as far as a view lists its kind. */
  readonly since: (at: number, view: View) => readonly Noticed[];
  readonly stop: () => void;
}

/** Enough for every object that changes while a client is away for a minute. */
const maxNotices = 10_000;

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

/** A pod goes after its service was last written: the notice names the service, whose pods are to be read again. */
function podNotice({ metadata }: KubeObject): ChangeNotice | null {
  const { [label.kind]: kind, [label.name]: name, ...labels } = metadata.labels ?? {};
  if (kind !== 'CoreApp' || name === undefined) return null;
  const [project = '', environment = ''] = [labels[label.project], labels[label.environment]];
  return { kind: podKind, name, project, environment, version: metadata.resourceVersion ?? '', deleted: false };
}

const podKind = 'Pod';

/** Viewers read no pods (AUT-036). */
const maySee = (kind: string, view: View): boolean => (kind === podKind ? view !== 'viewer' : isListed(kind, view));

export function makeChanges(operator: Operator, { heard, send }: Outlets, now: () => number): Changes {
  const noticed = new Map<string, Noticed>();

  const keep = (key: string, one: Noticed) => {
    // The order of the map is the order of the changes.
    noticed.delete(key);
    noticed.set(key, one);
    const [oldest] = noticed.keys();
    if (noticed.size > maxNotices && oldest !== undefined) noticed.delete(oldest);
  };

  const publish = (notice: ChangeNotice) => {
    const { kind, name } = notice;
    const chunk = sse('change', JSON.stringify(notice));
    keep(`${kind} ${name}`, { kind, at: now(), chunk });
    for (const view of heard()) if (maySee(kind, view)) send(view, chunk);
  };

  const unsubscribers = operator.caches.all.flatMap((cache) => {
    const { resource } = cache;
    if (resource.group !== group && resource !== workloadPods) return [];
    return cache.onChange(({ type, object, initial }) => {
      if (initial) return;
      const notice =
        resource === workloadPods ? podNotice(object) : noticeOf(resource.kind, object, type === 'deleted');
      if (notice) publish(notice);
    });
  });

  return {
    since: (at, view) => [...noticed.values()].filter((one) => one.at >= at && maySee(one.kind, view)),
    stop: () => {
      for (const unsubscribe of unsubscribers) unsubscribe();
    },
  };
}
