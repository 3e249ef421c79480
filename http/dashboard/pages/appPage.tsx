import type { BuildSummary, Items, Read, StreamEvent } from '../../api.ts';
import { api } from '../api.ts';
import { Actions } from '../parts/actionButton.tsx';
import { Frame } from '../parts/frame.tsx';
import { Failed, Skeleton } from '../parts/note.tsx';
import { Hidden } from '../parts/value.tsx';
import { StateChip } from '../parts/stateChip.tsx';
import { Since } from '../parts/times.tsx';
import { addressOf } from '../routes.ts';
import { useLoaded } from '../store/loaded.ts';
import { useMachines } from '../store/machines.ts';
import { mayReadSensitive } from '../store/session.ts';
import { short } from '../words/plural.ts';
import { stateWord } from '../words/state.ts';
import { span } from '../words/time.ts';
import { asksOf } from '../kinds/build/asks.ts';
import { Columns } from '../parts/columns.tsx';

const concerns = (app: string) => (event: StreamEvent) => {
  switch (event.event) {
    case 'move':
      return event.data.instance.columns['app'] === app || event.data.name === app;
    case 'instance':
      return event.data.columns['app'] === app || event.data.name === app;
    case 'change':
      return event.data.kind === 'CoreApp' && event.data.name === app;
    case 'deleted':
    case 'tick':
      return true;
    case 'hello':
    case 'reset':
      return false;
  }
};

/** One service: its source, its state, its builds. */
export function AppPage({ name }: { readonly name: string }) {
  const app = useLoaded<Read>(api.app(name), concerns(name));
  const builds = useLoaded<Items<BuildSummary>>(api.builds(name), concerns(name));
  const machine = useMachines().value?.items.find((item) => item.name === 'build') ?? null;
  const reload = () => {
    app.reload();
    builds.reload();
  };
  const current = builds.value?.items.find((build) => build.current);
  return (
    <Frame title={`Service ${name}`}>
      <div class="stack">
        <div class="page-head">
          <div>
            <p class="crumb">
              <a href={addressOf.apps()}>Services</a> /
            </p>
            <h1>{name}</h1>
            <div class="row" style={{ marginTop: '8px', minHeight: '28px' }}>
              {app.value && <Standing read={app.value} />}
              {!app.value && !app.failed && <Skeleton height={28} width="240px" />}
            </div>
          </div>
          {current && <Actions label="Ask for" actions={asksOf(current, machine)} onDone={reload} />}
        </div>
        <Failed failed={app.failed} readAt={app.readAt} retry={reload} />
        <div class="columns">
          <section class="card" aria-label="Builds">
            <div class="card-head">
              <h2>Builds</h2>
              <span class="muted small">newest first</span>
            </div>
            <Failed failed={builds.failed} readAt={builds.readAt} />
            {builds.value && <BuildTable builds={builds.value.items} />}
            {!builds.value && !builds.failed && (
              <div class="card-body">
                <Skeleton height={240} />
              </div>
            )}
          </section>
          {app.value && <Source read={app.value} />}
        </div>
      </div>
    </Frame>
  );
}

const Standing = ({ read: { resource } }: { readonly read: Read }) => (
  <>
    <StateChip state={resource.state} shown={stateWord(resource.state)} large />
    <span class="muted">{resource.message}</span>
    {/^https?:\/\//.test(resource.url) && (
      <a href={resource.url} target="_blank" rel="noreferrer">
        {resource.url}
      </a>
    )}
  </>
);

const Source = ({ read: { resource, spec } }: { readonly read: Read }) => (
  <section class="card aside" aria-label="Where it comes from">
    <div class="card-head">
      <h2>Source</h2>
      <span class="muted small">
        {resource.project} / {resource.environment}
      </span>
    </div>
    {spec['source'] === undefined && !mayReadSensitive() ? (
      <p class="card-body">
        <Hidden />
      </p>
    ) : (
      <pre class="json">{JSON.stringify(spec['source'] ?? spec, null, 2)}</pre>
    )}
  </section>
);

const BuildTable = ({ builds }: { readonly builds: readonly BuildSummary[] }) =>
  builds.length === 0 ? (
    <p class="empty muted">No build: only a service with a repository has builds, and one appears by itself.</p>
  ) : (
    <div class="scroll-x">
      <table>
        <Columns names={['Build', 'State', 'Commit', 'Digest', 'Duration', 'Age']} />
        <tbody>
          {builds.map((build) => (
            <BuildRow key={build.name} build={build} />
          ))}
        </tbody>
      </table>
    </div>
  );

const BuildRow = ({ build }: { readonly build: BuildSummary }) => {
  const { name, state, shown, current, commit = '', imageDigest = '', failureReason, startedAt, completedAt } = build;
  return (
    <tr>
      <td>
        <a href={addressOf.build(name)} style={{ fontWeight: 550 }}>
          {name}
        </a>
        {current && <span class="flag flag-good">current</span>}
        {failureReason !== undefined && failureReason !== '' && <div class="small muted">{failureReason}</div>}
      </td>
      <td>
        <StateChip state={state} shown={shown} />
      </td>
      <td class="mono">{short(commit)}</td>
      <td class="mono">{short(imageDigest)}</td>
      <td class="nowrap">{startedAt && completedAt ? span(Date.parse(completedAt) - Date.parse(startedAt)) : ''}</td>
      <td class="nowrap muted">
        <Since at={build.createdAt} />
      </td>
    </tr>
  );
};
