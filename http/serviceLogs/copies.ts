import { type CoreApp, coreApp } from '../../crds/coreApp.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { label } from '../../crds/names.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { podsOf } from '../../runtime/controllers/app/read.ts';

/** A container of a pod of a service; `uid` is that of the pod. */
export interface Copy {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
  /** How often it was restarted, as far as the cache shows. */
  readonly restarts: number;
}

interface Running extends KubeObject {
  readonly spec?: { readonly containers?: readonly { readonly name: string }[] };
  readonly status?: {
    readonly containerStatuses?: readonly { readonly name: string; readonly restartCount?: number }[];
  };
}

function copiesIn({ metadata, spec, status }: Running): readonly Copy[] {
  const { namespace = '', name, uid = '' } = metadata;
  return (spec?.containers ?? []).map(({ name: container }) => {
    const found = status?.containerStatuses?.find((one) => one.name === container);
    return { namespace, pod: name, uid, container, restarts: found?.restartCount ?? 0 };
  });
}

/** Whether a pod is one of a service of this name. */
export const isCopyOf = (app: string, { metadata: { labels } }: KubeObject): boolean =>
  labels?.[label.kind] === coreApp.kind && labels[label.name] === app;

/** The containers whose logs are those of a service, by pod. */
export const copiesOf = (app: CoreApp, reader: CacheReader): readonly Copy[] =>
  podsOf(app, reader)
    .flatMap((pod) => copiesIn(pod as Running))
    .toSorted((a, b) => (a.pod < b.pod ? -1 : 1));
