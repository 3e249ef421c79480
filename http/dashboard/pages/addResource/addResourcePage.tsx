import { useSignal } from '@preact/signals';
import type { Summary } from '../../../api.ts';
import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { useBucketServers, useDatabasesIn, useProjects, useSharedServers } from '../../kindPages/lists.ts';
import { readsOnly } from '../../components/checkNow.ts';
import { Frame } from '../../components/frame.tsx';
import { Note } from '../../components/note.tsx';
import { go } from '../../router.ts';
import { addressOf, type Place } from '../../routes.ts';
import { type Reloading, useLoaded } from '../../store/loaded.ts';
import { mayAct } from '../../store/session.ts';
import {
  bucketEntries,
  clusterEntries,
  emptyResource,
  externalEntries,
  logicalMade,
  type NewResource,
  newResourceBody,
  type ResourceEntry,
  serverEntries,
} from './model.ts';
import { effectiveRegion } from '../../model/project.ts';
import { EntryGroup } from './entryGroup.tsx';
import { ResourceForm } from './resourceForm.tsx';
import { onlyAdminsAdd, serviceHelp } from './text.ts';

const byName = (one: Summary, other: Summary): number => (one.name < other.name ? -1 : 1);

/** The route that makes each kind of resource. */
const routes = {
  database: 'POST /databases',
  logical: 'POST /logical-databases',
  bucket: 'POST /object-stores',
} as const;

/** The databases that may be servers for an environment: its own, and those that all projects share. */
function useServers(place: Place): Reloading<readonly Summary[]> {
  const [own, shared] = [useDatabasesIn(place), useSharedServers()];
  const { failed, readAt, reload } = own.failed ? own : shared;
  const value = own.value && shared.value && [...shared.value.items, ...own.value.items].toSorted(byName);
  return { value, failed, readAt, reload };
}

/** What can be added to an environment, and why something cannot be now. */
export function AddResourcePage(place: Place) {
  const databases = useServers(place);
  const project = useProjects().value?.items.find(({ name }) => name === place.project);
  const clusters = useLoaded(mayAct() ? pathTo('GET /clusters', {}) : null, ofKinds('CoreCluster'));
  const region = project ? effectiveRegion(project, clusters.value?.items ?? []) : '';
  return (
    <Frame title="Add resource" place={place}>
      <div class="stack">
        <h1>Add resource</h1>
        {mayAct() ? (
          <Loaded of={databases} height={480}>
            {(all) => <Add place={place} servers={serverEntries(all, place, region)} />}
          </Loaded>
        ) : (
          <Note tone="idle">
            {readsOnly} {onlyAdminsAdd}
          </Note>
        )}
      </div>
    </Frame>
  );
}

interface AddProps {
  readonly place: Place;
  readonly servers: readonly ResourceEntry[];
}

/** The places for a bucket, which only admins read. */
function useBucketEntries(project: string): readonly ResourceEntry[] {
  const accounts = useLoaded(
    pathTo('GET /projects/{project}/cloud-connections', { project: project }),
    ofKinds('CoreCloudConnection'),
  );
  const stores = useBucketServers();
  return bucketEntries(accounts.value?.items ?? [], stores.value?.items ?? []);
}

function Add({ place: { project, environment }, servers }: AddProps) {
  const buckets = useBucketEntries(project);
  const place = { project, environment };
  const chosen = useSignal<ResourceEntry | null>(null);
  const typed = useSignal<NewResource>(emptyResource);
  const made = useSignal('');
  const choose = (entry: ResourceEntry) => {
    chosen.value = entry;
    made.value = '';
  };
  const group = { chosen: chosen.value?.key ?? '', onChoose: choose };
  return (
    <div class="halves">
      <div class="stack">
        <Card label="Service" isPadded>
          <div class="row">
            <span>{serviceHelp}</span>
            <a class="button row-end" href={addressOf.newService(place)}>
              Create service
            </a>
          </div>
        </Card>
        <EntryGroup title="Database in the cluster" entries={clusterEntries} {...group} />
        <EntryGroup title="Database on a server" entries={servers} {...group} />
        <EntryGroup title="Bucket" entries={buckets} {...group} />
        <EntryGroup title="Database elsewhere" entries={externalEntries} {...group} />
      </div>
      <div class="stack follows">
        {chosen.value === null ? (
          <p class="muted">Choose what to add.</p>
        ) : (
          <ResourceForm
            key={chosen.value.key}
            entry={chosen.value}
            typed={typed.value}
            onType={(change) => (typed.value = { ...typed.value, ...change })}
            create={(entry, how) => write(routes[entry.makes.is], {}, newResourceBody(entry, typed.value, place, how))}
            onMade={(entry, created) => {
              if (entry.makes.is === 'logical') made.value = created.name;
              else go(addressOf.resource({ ...place, ...created }), 'replace');
            }}
          />
        )}
        {made.value !== '' && (
          <Note tone="good">
            {logicalMade} <a href={addressOf.logicalDatabase({ ...place, name: made.value })}>Open {made.value}</a>
          </Note>
        )}
      </div>
    </div>
  );
}
