import type { Items, StreamEvent, Summary } from '../../api.ts';
import { api } from '../api.ts';
import { FirstBuild } from '../kinds/build/firstBuild.tsx';
import { Frame } from '../parts/frame.tsx';
import { Failed, Skeleton } from '../parts/note.tsx';
import { StateChip } from '../parts/stateChip.tsx';
import { Since } from '../parts/times.tsx';
import { addressOf } from '../routes.ts';
import { useLoaded } from '../store/loaded.ts';
import { stateWord } from '../words/state.ts';
import { Columns } from '../parts/columns.tsx';

/** Services have no events of their own, so every tick reloads them. */
const isTick = (event: StreamEvent): boolean => event.event === 'tick';

/** Every service. */
export function AppsPage() {
  const { value, failed, readAt, reload } = useLoaded<Items<Summary>>(api.apps, isTick);
  return (
    <Frame title="Services">
      <div class="stack">
        <div>
          <h1>Services</h1>
          <p class="muted">What runs, and the build it runs from.</p>
        </div>
        <Failed failed={failed} readAt={readAt} retry={reload} />
        {value === null && failed === null && <Skeleton height={360} />}
        {value && (
          <section class="card scroll-x" aria-label="Services">
            {value.items.length === 0 ? <FirstBuild /> : <AppTable apps={value.items} />}
          </section>
        )}
      </div>
    </Frame>
  );
}

const AppTable = ({ apps }: { readonly apps: readonly Summary[] }) => (
  <table>
    <Columns names={['Service', 'State', 'Project', 'Message', 'Address', 'Age']} />
    <tbody>
      {apps.map((app) => (
        <tr key={app.name}>
          <td>
            <a href={addressOf.app(app.name)} style={{ fontWeight: 550 }}>
              {app.name}
            </a>
            {app.displayName !== '' && app.displayName !== app.name && <div class="small muted">{app.displayName}</div>}
          </td>
          <td>
            <StateChip state={app.state} shown={stateWord(app.state)} />
          </td>
          <td class="nowrap">
            {app.project} <span class="muted">/ {app.environment}</span>
          </td>
          <td class="small">{app.message}</td>
          <td class="small">
            {/^https?:\/\//.test(app.url) && (
              <a href={app.url} target="_blank" rel="noreferrer">
                {app.url}
              </a>
            )}
          </td>
          <td class="nowrap small muted">
            <Since at={app.createdAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
