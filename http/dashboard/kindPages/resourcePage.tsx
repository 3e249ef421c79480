import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Read } from '../../api.ts';
import type { Action } from '../components/actionButton.tsx';
import { Frame } from '../components/frame.tsx';
import { Gone } from '../components/gone.tsx';
import { Loaded } from '../components/loaded.tsx';
import { type HeadAdditions, ResourceHead } from '../components/resource/head.tsx';
import type { ResourceReading } from '../components/resource/reading.ts';
import { Tabs } from '../components/tabs.tsx';
import type { Listed } from '../model/listed.ts';
import { go } from '../router.ts';
import { addressOf, type Place } from '../routes.ts';
import { isAdmin } from '../store/session.ts';

/** One view of a resource, with its tab. */
export interface ResourceView<R extends ResourceReading> {
  /** Its name in the address; empty for the overview. */
  readonly name: string;
  readonly label: string;
  /** Whether it has a tab, left out where it always has; `read` is null while the resource is not read. */
  readonly isOffered?: (read: Read | null, isAdmin: boolean) => boolean;
  readonly show: (read: Read, reading: R) => ComponentChildren;
}

/**
 * What the page of one kind of resource is made of.
 *
 * @example
 * export const LogicalDatabasePage = resourcePage({
 *   kind: 'CoreLogicalDatabase',
 *   use: (name) => useResource({ kind: 'CoreLogicalDatabase', name, isDeployed: false }),
 *   actions: retryActions,
 *   views: [
 *     { name: '', label: 'Overview', show: (read) => <LogicalOverview read={read} /> },
 *     lifecycleView('logical databases'),
 *   ],
 * });
 */
export interface ResourceKind<R extends ResourceReading> {
  readonly kind: string;
  /** Reads what every view shows. */
  readonly use: (name: string) => R;
  /** What may be asked of a resource, beside its name. */
  readonly actions: (read: Read, reading: R) => readonly Action[];
  /** What its head shows beside name and state. */
  readonly head?: (reading: R) => HeadAdditions;
  /** What waits for a deploy; left out where nothing ever does. */
  readonly changes?: (reading: R) => ComponentChildren;
  /** The views in the order of their tabs; the first is the overview. */
  readonly views: readonly [ResourceView<R>, ...ResourceView<R>[]];
}

/** The views of a resource that have a tab. */
export const offeredViews = <R extends ResourceReading>(
  { views }: Pick<ResourceKind<R>, 'views'>,
  read: Read | null,
  asAdmin: boolean,
): readonly ResourceView<R>[] => views.filter(({ isOffered }) => isOffered?.(read, asAdmin) ?? true);

/** One resource as an address names it, and the view of it; an unknown view shows the overview. */
export interface NamedPlace extends Place {
  readonly name: string;
  readonly view: string;
}

/** The page of a kind of resource: its head, what waits, and its views; one that lives elsewhere is shown there. */
export const resourcePage = <R extends ResourceReading>(of: ResourceKind<R>): ComponentType<NamedPlace> =>
  function ResourcePage({ name, view, project, environment }) {
    const reading = of.use(name);
    const { value } = reading.resource;
    const isElsewhere =
      value !== null && (value.resource.project !== project || value.resource.environment !== environment);
    useEffect(() => {
      if (value && isElsewhere) go(addressOf.resource({ ...value.resource, kind: of.kind, name }, view), 'replace');
    }, [isElsewhere]);
    const place = { project, environment };
    return (
      <Frame title={value?.resource.displayName ?? name} {...(project === '' ? {} : { place })}>
        <div class="stack">
          <ResourceHead reading={reading} actionsOf={(read) => of.actions(read, reading)} {...of.head?.(reading)} />
          <Content of={of} reading={reading} place={place} view={view} />
        </div>
      </Frame>
    );
  };

interface ContentProps<R extends ResourceReading> {
  readonly of: ResourceKind<R>;
  readonly reading: R;
  readonly place: Place;
  readonly view: string;
}

/** What stands below the head: what waits, the tabs, and the current view. */
function Content<R extends ResourceReading>({ of, reading, place, view }: ContentProps<R>) {
  const { name, machine, id, reload } = reading;
  const { value } = reading.resource;
  const current = of.views.find((one) => one.name === view) ?? of.views[0];
  return (
    <Loaded
      of={{ ...reading.resource, reload }}
      height={480}
      gone={(error) => <Gone machine={machine} id={id} what={machine as Listed} name={name} error={error} />}
      between={
        <>
          {value && of.changes?.(reading)}
          <Tabs
            label="Views"
            tabs={offeredViews(of, value, isAdmin()).map((one) => ({
              label: one.label,
              to: addressOf.resource({ ...place, kind: of.kind, name }, one.name),
              isCurrent: one === current,
            }))}
          />
        </>
      }
    >
      {(read) => <Shown key={current.name} view={current} read={read} reading={reading} />}
    </Loaded>
  );
}

interface ShownProps<R extends ResourceReading> {
  readonly view: ResourceView<R>;
  readonly read: Read;
  readonly reading: R;
}

const Shown = <R extends ResourceReading>({ view, read, reading }: ShownProps<R>) => <>{view.show(read, reading)}</>;
