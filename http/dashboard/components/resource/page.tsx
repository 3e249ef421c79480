import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Read } from '../../../api.ts';
import { go } from '../../router.ts';
import type { Place } from '../../routes.ts';
import type { Listed } from '../../model/listed.ts';
import { Frame } from '../frame.tsx';
import { Gone } from '../gone.tsx';
import { Failed, Skeleton } from '../note.tsx';
import { Tabs } from '../tabs.tsx';
import { isGone } from '../../store/loaded.ts';
import type { ResourceReading } from './reading.ts';

/** One resource as an address names it, and the view of it that is asked for. */
export interface NamedPlace extends Place {
  readonly name: string;
  readonly view: string;
}

interface ResourcePageProps<View extends string> extends Place {
  readonly reading: ResourceReading;
  /** The view as the address has it; `current` is the one that is shown. */
  readonly view: string;
  readonly current: View;
  /** The views with their words, in order. */
  readonly views: readonly (readonly [View, string])[];
  readonly addressOf: (resource: Place & { readonly name: string }, view?: string) => string;
  readonly head: ComponentChildren;
  /** What waits for a deploy. */
  readonly changes?: ComponentChildren;
  readonly children: (read: Read) => ComponentChildren;
}

/** The page of a resource: its head, what waits, and its views; one that lives elsewhere is shown there. */
export function ResourcePage<View extends string>({
  project,
  environment,
  reading: {
    name,
    machine,
    id,
    reload,
    resource: { value, failed, readAt },
  },
  view,
  current,
  views,
  addressOf,
  head,
  changes,
  children,
}: ResourcePageProps<View>) {
  const place = { project, environment };
  const isElsewhere =
    value !== null && (value.resource.project !== project || value.resource.environment !== environment);
  useEffect(() => {
    if (value && isElsewhere) go(addressOf({ ...value.resource, name }, view), 'replace');
  }, [isElsewhere]);
  return (
    <Frame title={value?.resource.displayName ?? name} {...(project === '' ? {} : { place })}>
      <div class="stack">
        {head}
        {isGone(failed) ? (
          <Gone machine={machine} id={id} what={machine as Listed} name={name} error={failed?.error ?? ''} />
        ) : (
          <>
            <Failed failed={failed} readAt={readAt} retry={reload} />
            {value && changes}
            <Tabs
              label="Views"
              tabs={views.map(([own, label]) => ({
                label,
                to: addressOf({ ...place, name }, own),
                isCurrent: own === current,
              }))}
            />
            {value && children(value)}
            {value === null && failed === null && <Skeleton height={480} />}
          </>
        )}
      </div>
    </Frame>
  );
}
