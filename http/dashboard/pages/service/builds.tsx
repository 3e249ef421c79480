import type { BuildSummary, Read } from '../../../api.ts';
import { pathTo, withQuery } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { CauseCell } from '../../components/cause/causeCell.tsx';
import { Table } from '../../components/table/table.tsx';
import type { TableColumn } from '../../components/table/tableColumn.ts';
import { actionsOf } from '../../kindPages/build/actions.ts';
import { Actions } from '../../components/actionButton.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Empty } from '../../components/empty.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { Since, Spent } from '../../components/times.tsx';
import { addressOf } from '../../routes.ts';
import { ofService } from '../../kindPages/service/concerns.ts';
import { useLoaded } from '../../store/loaded.ts';
import { useMachines } from '../../store/machines.ts';
import { mayAct } from '../../store/session.ts';
import { shownBuild } from '../../model/cause.ts';
import { short } from '../../model/plural.ts';
import { noBuildText, onlyRepositories } from './text.ts';

/** The builds of a service from a repository. */
export function ServiceBuilds({ read: { resource } }: { readonly read: Read }) {
  const loaded = useLoaded(withQuery(pathTo('GET /builds', {}), { app: resource.name }), ofService(resource.name));
  const { value, reload } = loaded;
  const machine = useMachines().value?.items.find(({ name }) => name === 'build') ?? null;
  const current = value?.items.find((build) => build.current);
  return (
    <Card
      title="Builds"
      actions={
        <>
          <span class="muted small">newest first</span>
          {current && mayAct() && (
            <span class="row-end">
              <Actions of={current.name} actions={actionsOf(current, machine)} onDone={reload} />
            </span>
          )}
        </>
      }
    >
      <Loaded
        of={loaded}
        height={240}
        empty={
          <Empty title="No build yet" text={resource.details['source'] === 'git' ? noBuildText : onlyRepositories} />
        }
      >
        {({ items }) => <Table columns={columns} rows={items} keyOf={({ name }) => name} />}
      </Loaded>
    </Card>
  );
}

const columns: readonly TableColumn<BuildSummary>[] = [
  { label: 'State', cell: (build) => <StateChip {...shownBuild(build)} /> },
  { label: 'Build', cell: (build) => <BuildName build={build} /> },
  { label: 'Commit', look: 'mono', cell: ({ commit }) => short(commit) },
  { label: 'Digest', look: 'mono', cell: ({ imageDigest }) => short(imageDigest) },
  {
    label: 'Duration',
    look: 'nowrap',
    cell: ({ startedAt, completedAt }) => startedAt && completedAt && <Spent from={startedAt} to={completedAt} />,
  },
  { label: 'Age', look: 'nowrap muted', cell: ({ createdAt }) => <Since at={createdAt} /> },
];

const BuildName = ({ build }: { readonly build: BuildSummary }) => (
  <>
    <a href={addressOf.buildOf({ ...build, name: build.app }, build.name)} class="strong">
      {build.name}
    </a>
    {build.current && <span class="flag flag-good">current</span>}
    <div class="small">
      <CauseCell owner={{ ...build, kind: 'CoreBuild' }} cause={build.cause} message={build.failureReason ?? ''} />
    </div>
  </>
);
