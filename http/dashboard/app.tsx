import { lazyPage } from './parts/lazyPage.tsx';
import { SessionEnded } from './parts/frame/sessionEnded.tsx';
import { NamedService } from './pages/namedService.tsx';
import { AdminOnly } from './pages/settings/adminOnly.tsx';
import { SignedInAlready } from './pages/signedInAlready.tsx';
import { SignInPage } from './pages/signInPage.tsx';
import { UnknownPage } from './pages/unknownPage.tsx';
import { UnreachablePage } from './pages/unreachablePage.tsx';
import { route } from './router.ts';
import type { Route } from './routes.ts';
import { isAdmin, reader } from './store/session.ts';

const HomePage = lazyPage(async () => (await import('./pages/home/homePage.tsx')).HomePage);
const ServicesPage = lazyPage(async () => (await import('./pages/servicesPage.tsx')).ServicesPage);
const ProjectPage = lazyPage(async () => (await import('./pages/projectPage.tsx')).ProjectPage);
const ServicePage = lazyPage(async () => (await import('./pages/service/servicePage.tsx')).ServicePage);
const NewServicePage = lazyPage(async () => (await import('./pages/newService/newServicePage.tsx')).NewServicePage);
const ProjectSettings = lazyPage(
  async () => (await import('./pages/projectSettings/projectSettingsPage.tsx')).ProjectSettingsPage,
);
const SharedVariables = lazyPage(
  async () => (await import('./pages/project/sharedVariablesPage.tsx')).SharedVariablesPage,
);
const PlatformSettings = lazyPage(async () => (await import('./pages/settings/platformPage.tsx')).PlatformPage);
const UsersPage = lazyPage(async () => (await import('./pages/settings/usersPage.tsx')).UsersPage);
const MachinesPage = lazyPage(async () => (await import('./pages/machinesPage.tsx')).MachinesPage);
const MachinePage = lazyPage(async () => (await import('./pages/machine/machinePage.tsx')).MachinePage);
const InstancePage = lazyPage(async () => (await import('./pages/instance/instancePage.tsx')).InstancePage);
const TokensPage = lazyPage(async () => (await import('./pages/settings/tokensPage.tsx')).TokensPage);
const DevicePage = lazyPage(async () => (await import('./pages/device/devicePage.tsx')).DevicePage);
const ApiDocsPage = lazyPage(async () => (await import('./pages/apiDocs/apiDocsPage.tsx')).ApiDocsPage);

/** The page of the address, once the session has been read. */
export function App() {
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
          <Page route={route.value} />
          {who.is === 'ended' && <SessionEnded name={who.identity.username} />}
        </>
      );
  }
}

const Tokens = () => (isAdmin() ? <TokensPage /> : <AdminOnly title="Tokens" what="manage tokens" />);

function Page({ route }: { readonly route: Route }) {
  if ('project' in route) return <InProject route={route} />;
  switch (route.is) {
    case 'home':
      return <HomePage />;
    case 'services':
      return <ServicesPage />;
    case 'named':
      return <NamedService key={route.name} {...route} />;
    case 'machines':
      return <MachinesPage />;
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
    case 'users':
      return isAdmin() ? <UsersPage /> : <AdminOnly title="Users" what="see the users" />;
    case 'tokens':
      return <Tokens />;
    case 'device':
      return <DevicePage code={route.code} />;
    case 'signIn':
      return <SignedInAlready to={route.to} />;
    case 'apiDocs':
      return <ApiDocsPage />;
    case 'unknown':
      return <UnknownPage path={route.path} />;
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
