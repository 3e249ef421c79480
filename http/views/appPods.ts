import type { CoreApp } from '../../crds/coreApp.ts';
import type { KubeObject } from '../../crds/kind.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { podsOf } from '../../runtime/controllers/app/read.ts';
import type { PodItem } from '../routes/apps/shapes.ts';
import { isDeleting } from '../../rules/deleting.ts';

interface Container {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: Readonly<Record<string, { readonly reason?: string } | undefined>>;
}

interface Running extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly startTime?: string;
    readonly containerStatuses?: readonly Container[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

function containerView({ name, ready = false, state = {} }: Container): PodItem['containers'][number] {
  const [is = 'waiting', told] = Object.entries(state).find(([, value]) => value !== undefined) ?? [];
  return { name, ready, state: is, reason: told?.reason ?? '' };
}

function podView({ metadata, spec, status = {} }: Running): PodItem {
  const containers = status.containerStatuses ?? [];
  return {
    name: metadata.name,
    phase: isDeleting({ metadata }) ? 'Terminating' : (status.phase ?? ''),
    ready: status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false,
    restarts: containers.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    node: spec?.nodeName ?? '',
    containers: containers.map(containerView),
    startedAt: status.startTime ?? null,
  };
}

/** The pods of a service, by name. */
export const appPods = (app: CoreApp, reader: CacheReader): readonly PodItem[] =>
  podsOf(app, reader)
    .map((pod) => podView(pod as Running))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
