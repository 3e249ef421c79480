import type { BuildSummary, Items, Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { asksOf } from '../../kindPages/build/actions.ts';
import { Actions } from '../../components/actionButton.tsx';
import { Columns } from '../../components/columns.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Empty } from '../../components/empty.tsx';
import { ScrollBox } from '../../components/scrollBox.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { Since, Spent } from '../../components/times.tsx';
import { addressOf } from '../../routes.ts';
import { ofService } from '../../kindPages/service/concerns.ts';
import { useLoaded } from '../../store/loaded.ts';
import { useMachines } from '../../store/machines.ts';
import { mayAct } from '../../store/session.ts';
import { short } from '../../model/plural.ts';

/** The builds of a service from a repository. */
export function ServiceBuilds({ read: { resource } }: { readonly read: Read }) {
  const loaded = useLoaded<Items<BuildSummary>>(api.builds(resource.name), ofService(resource.name));
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
              <Actions of={current.name} actions={asksOf(current, machine)} onDone={reload} />
            </span>
          )}
        </>
      }
    >
      <Loaded
        of={loaded}
        height={240}
        empty={
          <Empty
            title="No build yet"
            text={
              resource.details['source'] === 'git'
                ? 'The first one starts by itself once the branch is pushed.'
                : 'Only a service from a repository has builds.'
            }
          />
        }
      >
        {(value) => (
          <ScrollBox>
            <table>
              <Columns names={['State', 'Build', 'Commit', 'Digest', 'Duration', 'Age']} />
              <tbody>
                {value.items.map((build) => (
                  <BuildRow key={build.name} build={build} />
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
      </Loaded>
    </Card>
  );
}

const BuildRow = ({ build }: { readonly build: BuildSummary }) => {
  const {
    name,
    app,
    state,
    shown,
    current,
    commit = '',
    imageDigest = '',
    failureReason,
    startedAt,
    completedAt,
  } = build;
  return (
    <tr>
      <td>
        <StateChip state={state} shown={shown} />
      </td>
      <td>
        <a href={addressOf.buildOf({ ...build, name: app }, name)} class="strong">
          {name}
        </a>
        {current && <span class="flag flag-good">current</span>}
        {failureReason !== undefined && failureReason !== '' && <div class="small muted">{failureReason}</div>}
      </td>
      <td class="mono">{short(commit)}</td>
      <td class="mono">{short(imageDigest)}</td>
      <td class="nowrap">{startedAt && completedAt ? <Spent from={startedAt} to={completedAt} /> : ''}</td>
      <td class="nowrap muted">
        <Since at={build.createdAt} />
      </td>
    </tr>
  );
};
