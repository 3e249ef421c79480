import type { ComponentType } from 'preact';
import { lazyPage } from './components/lazyPage.tsx';
import { KeysDialog } from './components/frame/keysDialog.tsx';
import { Palette } from './components/frame/palette.tsx';
import { SessionEnded } from './components/frame/sessionEnded.tsx';
import { TopBar } from './components/frame/topBar.tsx';
import { keysShown, paletteShown } from './components/frame/keys.ts';
import { AdminOnly } from './components/settings/adminOnly.tsx';
import { SignedInAlready } from './pages/signIn/signedInAlready.tsx';
import { SignInPage } from './pages/signIn/signInPage.tsx';
import { UnreachablePage } from './pages/unreachable/unreachablePage.tsx';
import { route } from './router.ts';
import type { Route } from './routes.ts';
import { isAdmin, reader } from './store/session.ts';

const HomePage = lazyPage(async () => (await import('./pages/home/homePage.tsx')).HomePage);
const ServicesPage = lazyPage(async () => (await import('./pages/services/servicesPage.tsx')).ServicesPage);
const DatabasesPage = lazyPage(async () => (await import('./pages/data/databasesPage.tsx')).DatabasesPage);
const LogicalDatabasesPage = lazyPage(
  async () => (await import('./pages/data/logicalDatabasesPage.tsx')).LogicalDatabasesPage,
);
const BucketsPage = lazyPage(async () => (await import('./pages/data/bucketsPage.tsx')).BucketsPage);
const BucketPage = lazyPage(async () => (await import('./kindPages/objectStore/bucketPage.tsx')).BucketPage);
const DatabasePage = lazyPage(async () => (await import('./kindPages/database/databasePage.tsx')).DatabasePage);
const LogicalDatabasePage = lazyPage(
  async () => (await import('./kindPages/logicalDatabase/logicalDatabasePage.tsx')).LogicalDatabasePage,
);
const AddResourcePage = lazyPage(async () => (await import('./pages/addResource/addResourcePage.tsx')).AddResourcePage);
const ArchivesPage = lazyPage(async () => (await import('./pages/backups/archivesPage.tsx')).ArchivesPage);
const ArchivePage = lazyPage(async () => (await import('./pages/backups/archivePage.tsx')).ArchivePage);
const SharedServersPage = lazyPage(
  async () => (await import('./pages/sharedServers/sharedServersPage.tsx')).SharedServersPage,
);
const ProjectPage = lazyPage(async () => (await import('./pages/project/projectPage.tsx')).ProjectPage);
const ServicePage = lazyPage(async () => (await import('./kindPages/service/servicePage.tsx')).ServicePage);
const NewServicePage = lazyPage(async () => (await import('./pages/newService/newServicePage.tsx')).NewServicePage);
const ProjectSettings = lazyPage(
  async () => (await import('./pages/projectSettings/projectSettingsPage.tsx')).ProjectSettingsPage,
);
const SharedVariables = lazyPage(
  async () => (await import('./pages/project/sharedVariablesPage.tsx')).SharedVariablesPage,
);
const PlatformSettings = lazyPage(async () => (await import('./pages/platform/platformPage.tsx')).PlatformPage);
const UsersPage = lazyPage(async () => (await import('./pages/users/usersPage.tsx')).UsersPage);
const MachinesPage = lazyPage(async () => (await import('./pages/machines/machinesPage.tsx')).MachinesPage);
const MachinePage = lazyPage(async () => (await import('./pages/machine/machinePage.tsx')).MachinePage);
const InstancePage = lazyPage(async () => (await import('./pages/instance/instancePage.tsx')).InstancePage);
const TokensPage = lazyPage(async () => (await import('./pages/tokens/tokensPage.tsx')).TokensPage);
const CommandLinePage = lazyPage(async () => (await import('./pages/commandLine/commandLinePage.tsx')).CommandLinePage);
const DevicePage = lazyPage(async () => (await import('./pages/device/devicePage.tsx')).DevicePage);
const NamedResource = lazyPage(async () => (await import('./pages/data/namedResource.tsx')).NamedResource);
const UnknownPage = lazyPage(async () => (await import('./pages/unknown/unknownPage.tsx')).UnknownPage);
const ApiDocsPage = lazyPage(async () => (await import('./pages/apiDocs/apiDocsPage.tsx')).ApiDocsPage);

/** The page of the address, and what is opened over it whichever page that is. */
export const App = () => (
  <>
    <Screen />
    {keysShown.value && <KeysDialog />}
    {paletteShown.value && <Palette />}
  </>
);

/** The page of the address, once the session has been read. */
function Screen() {
  const who = reader.value;
  switch (who.is) {
    case 'unread':
      return null;
    case 'unreachable':
      return <UnreachablePage error={who.error} />;
    case 'signedOut':
      return <SignInPage />;
    case 'signedIn':
    case 'ended':
      return (
        <>
          <a class="skip" href="#main">
            To the content
          </a>
          {/* The same bar over every page: one that comes with the page loses the click that its arrival interrupts. */}
          <TopBar />
          <Page route={route.value} />
          {who.is === 'ended' && <SessionEnded name={who.identity.username} />}
        </>
      );
  }
}

/** The platform's settings, which only admins see. */
const settings: Readonly<Partial<Record<Route['is'], readonly [page: ComponentType, title: string, what: string]>>> = {
  users: [UsersPage, 'Users', 'see the users'],
  sharedServers: [SharedServersPage, 'Databases', 'set up shared servers'],
  tokens: [TokensPage, 'Tokens', 'manage tokens'],
};

/** The pages whose address says everything. */
const plain: Readonly<Partial<Record<Route['is'], ComponentType>>> = {
  home: HomePage,
  services: ServicesPage,
  databases: DatabasesPage,
  logicalDatabases: LogicalDatabasesPage,
  buckets: BucketsPage,
  backups: ArchivesPage,
  machines: MachinesPage,
  apiDocs: ApiDocsPage,
  commandLine: CommandLinePage,
};

function Page({ route }: { readonly route: Route }) {
  if ('project' in route) return <InProject route={route} />;
  const setting = settings[route.is];
  if (setting) {
    const [Setting, title, what] = setting;
    return isAdmin() ? <Setting /> : <AdminOnly title={title} what={what} />;
  }
  const Plain = plain[route.is];
  if (Plain) return <Plain />;
  return 'name' in route ? <Named route={route} /> : <Single route={route} />;
}

/** Objects by their names alone. */
function Named({ route }: { readonly route: Extract<Route, { readonly is: `named${string}` }> }) {
  switch (route.is) {
    case 'named':
      return <NamedResource key={route.name} kind="CoreApp" {...route} />;
    case 'namedDatabase':
      return <NamedResource key={route.name} kind="CoreDatabase" Shared={DatabasePage} {...route} />;
    case 'namedBucket':
      return <NamedResource key={route.name} kind="CoreObjectStore" Shared={BucketPage} {...route} />;
    case 'namedLogicalDatabase':
      return <NamedResource key={route.name} kind="CoreLogicalDatabase" {...route} />;
    case 'namedBackup':
      return <ArchivePage key={route.name} name={route.name} />;
  }
}

function Single({ route }: { readonly route: Route }) {
  switch (route.is) {
    case 'machine':
      return <MachinePage key={route.machine} name={route.machine} />;
    case 'instance':
      return <InstancePage key={`${route.machine} ${route.id}`} {...route} />;
    case 'platform':
      return isAdmin() ? (
        <PlatformSettings key={route.page} {...route} />
      ) : (
        <AdminOnly title="Settings" what="read the settings of the platform" />
      );
    case 'device':
      return <DevicePage code={route.code} />;
    case 'signIn':
      return <SignedInAlready to={route.to} />;
    case 'unknown':
      return <UnknownPage path={route.path} />;
    default:
      return null;
  }
}

interface InProjectProps {
  readonly route: Extract<Route, { readonly project: string }>;
}

function InProject({ route }: InProjectProps) {
  switch (route.is) {
    case 'project':
      return <ProjectPage key={`${route.project} ${route.environment}`} {...route} />;
    case 'projectSettings':
      return <ProjectSettings key={route.project} {...route} />;
    case 'sharedVariables':
      return <SharedVariables key={`${route.project} ${route.environment}`} {...route} />;
    case 'newService':
      return <NewServicePage key={`${route.project} ${route.environment}`} {...route} />;
    case 'addResource':
      return <AddResourcePage key={`${route.project} ${route.environment}`} {...route} />;
    case 'database':
      return <DatabasePage key={route.name} {...route} />;
    case 'logicalDatabase':
      return <LogicalDatabasePage key={route.name} {...route} />;
    case 'bucket':
      return <BucketPage key={route.name} {...route} />;
    case 'service':
      return <ServicePage key={route.name} {...route} />;
    case 'build':
      return (
        <InstancePage
          key={`build ${route.name}`}
          machine="build"
          id={`corebuilds:${route.name}`}
          view={route.view}
          place={route}
        />
      );
  }
}
