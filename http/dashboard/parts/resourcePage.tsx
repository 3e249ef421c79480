import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Read } from '../../api.ts';
import { go } from '../router.ts';
import type { Place } from '../routes.ts';
import type { Loaded } from '../store/loaded.ts';
import { Frame } from './frame.tsx';
import { Gone } from './gone.tsx';
import { Failed, Skeleton } from './note.tsx';
import { isGone } from './resourceHead.tsx';

interface ResourcePageProps<View extends string> extends Place {
  readonly name: string;
  /** The view as the address has it; `current` is the one that is shown. */
  readonly view: string;
  readonly current: View;
  /** The views with their words, in order. */
  readonly views: readonly (readonly [View, string])[];
  readonly loaded: Loaded<Read>;
  readonly reload: () => void;
  /** A machine of the resource, and its id there: the history is shown when the resource is gone. */
  readonly machine: string;
  readonly id: string;
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
  name,
  view,
  current,
  views,
  loaded: { value, failed, readAt },
  reload,
  machine,
  id,
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
  const gone = isGone(failed);
  return (
    <Frame title={value?.resource.displayName ?? name} {...(project === '' ? {} : { place })}>
      <div class="stack">
        {head}
        {gone ? (
          <Gone machine={machine} id={id} error={failed?.error ?? ''} />
        ) : (
          <Failed failed={failed} readAt={readAt} retry={reload} />
        )}
        {!gone && value && changes}
        <nav class="tabs" aria-label="Views">
          {views.map(([own, word]) => (
            <a key={own} href={addressOf({ ...place, name }, own)} aria-current={own === current ? 'page' : undefined}>
              {word}
            </a>
          ))}
        </nav>
        {value && children(value)}
        {value === null && failed === null && <Skeleton height={480} />}
      </div>
    </Frame>
  );
}
