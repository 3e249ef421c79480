import type { Read } from '../../../api.ts';
import { pathTo } from '../../api.ts';
import { ofProject } from '../../kindPages/service/concerns.ts';
import { Frame } from '../../components/frame.tsx';
import { Gone } from '../../components/gone.tsx';
import { lazyPart } from '../../components/lazy.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { addressOf, type ProjectSettingsPage as Page, projectSettingsPages } from '../../routes.ts';
import { isGone, type Reloading, useLoaded } from '../../store/loaded.ts';
import { identity, mayAct } from '../../store/session.ts';
import { accessOf } from '../../model/access.ts';
import { environmentsOf } from '../../model/project.ts';
import { projectSettingsWords } from './model.ts';
import { Compliance } from './compliance.tsx';
import { DeleteProject } from './deleteProject.tsx';
import { Environments } from './environments.tsx';
import { General } from './general.tsx';
import { GitHost } from './gitHost.tsx';
import { Network } from './network.tsx';
import { PullRequests } from './pullRequests/pullRequests.tsx';
import type { SettingsViewProps } from './view.ts';
import { pageHelp } from './text.ts';

const Connections = lazyPart(async () => (await import('./connections.tsx')).Connections);
const BackupStorage = lazyPart(async () => (await import('./backupStorage.tsx')).BackupStorage);
const Webhooks = lazyPart(async () => (await import('./webhooks/webhooks.tsx')).Webhooks);

interface ProjectSettingsPageProps {
  readonly project: string;
  readonly page: Page;
}

/** The settings of a project, one form a page; all of them apply at once. */
export function ProjectSettingsPage({ project, page }: ProjectSettingsPageProps) {
  const reading = useLoaded(pathTo('GET /projects/{project}', { project: project }), ofProject(project));
  const called = reading.value?.resource.displayName ?? project;
  return (
    <Frame title={`${projectSettingsWords[page]} of ${called}`} place={{ project, environment: '' }}>
      <div class="stack">
        {isGone(reading.failed) ? (
          <>
            <h1>{called}</h1>
            <Gone
              machine="projectReady"
              id={`coreprojects:${project}`}
              what="project"
              name={project}
              error={reading.failed?.error ?? ''}
            />
          </>
        ) : (
          <Pages project={project} page={page} called={called} reading={reading} />
        )}
      </div>
    </Frame>
  );
}

interface PagesProps extends ProjectSettingsPageProps {
  readonly called: string;
  readonly reading: Reloading<Read>;
}

const Pages = ({ project, page, called, reading }: PagesProps) => (
  <>
    <div>
      <h1>{called}: settings</h1>
      <p class="muted">{pageHelp}</p>
    </div>
    {!mayAct() && <AdminsOnly />}
    <SettingsTabs
      project={project}
      page={page}
      first={reading.value ? environmentsOf(reading.value.resource)[0] : undefined}
    />
    <Loaded of={reading} height={320}>
      {(value) => (
        <>
          {page !== 'delete' && <Deleting project={value.resource} />}
          <View key={page} page={page} read={value} onSaved={reading.reload} />
        </>
      )}
    </Loaded>
  </>
);

function AdminsOnly() {
  const who = identity();
  return (
    <Note tone="idle">
      Only admins change the settings of a project.
      {who && ` You are signed in as ${who.username} (${accessOf(who)}).`}
    </Note>
  );
}

function Deleting({ project: { state, message } }: { readonly project: Read['resource'] }) {
  if (state !== 'deleting') return null;
  return <Note tone="waiting">{message || 'The project is being deleted.'}</Note>;
}

interface SettingsTabsProps extends ProjectSettingsPageProps {
  readonly first: string | undefined;
}

const SettingsTabs = ({ project, page, first }: SettingsTabsProps) => (
  <Tabs
    label="Project settings"
    tabs={[
      ...projectSettingsPages.map((own) => ({
        label: projectSettingsWords[own],
        to: addressOf.projectSettings(project, own),
        isCurrent: own === page,
      })),
      ...(first === undefined
        ? []
        : [
            {
              label: `Variables of ${first}`,
              to: addressOf.sharedVariables({ project, environment: first }),
              isCurrent: false,
            },
          ]),
    ]}
  />
);

function View({ page, ...given }: SettingsViewProps & { readonly page: Page }) {
  switch (page) {
    case 'general':
      return <General {...given} />;
    case 'environments':
      return <Environments {...given} />;
    case 'network':
      return <Network {...given} />;
    case 'compliance':
      return <Compliance {...given} />;
    case 'git':
      return <GitHost {...given} />;
    case 'pull-requests':
      return <PullRequests {...given} />;
    case 'webhooks':
      return <Webhooks {...given} />;
    case 'connections':
      return <Connections {...given} />;
    case 'backup-storage':
      return <BackupStorage {...given} />;
    case 'delete':
      return <DeleteProject {...given} />;
  }
}
