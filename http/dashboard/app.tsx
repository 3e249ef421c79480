import { ApiDocsPage } from './pages/apiDocs/apiDocsPage.tsx';
import { AppPage } from './pages/appPage.tsx';
import { AppsPage } from './pages/appsPage.tsx';
import { DevicePage } from './pages/device/devicePage.tsx';
import { InstancePage } from './pages/instance/instancePage.tsx';
import { MachinePage } from './pages/machine/machinePage.tsx';
import { MachinesPage } from './pages/machinesPage.tsx';
import { AdminOnly } from './pages/settings/adminOnly.tsx';
import { TokensPage } from './pages/settings/tokensPage.tsx';
import { SignedInAlready } from './pages/signedInAlready.tsx';
import { SignInPage } from './pages/signInPage.tsx';
import { UnknownPage } from './pages/unknownPage.tsx';
import { UnreachablePage } from './pages/unreachablePage.tsx';
import { route } from './router.ts';
import type { Route } from './routes.ts';
import { isAdmin, reader } from './store/session.ts';

/** The page of the address, once the session has been read. */
export function App() {
  const who = reader.value;
  switch (who.is) {
    case 'unread':
      return null;
    case 'unreachable':
      return <UnreachablePage error={who.error} />;
    case 'signedOut':
      return <SignInPage ended={who.ended} />;
    case 'signedIn':
      return <Page route={route.value} />;
  }
}

function Page({ route }: { readonly route: Route }) {
  switch (route.is) {
    case 'machines':
      return <MachinesPage />;
    case 'machine':
      return <MachinePage key={route.machine} name={route.machine} />;
    case 'instance':
      return <InstancePage key={`${route.machine} ${route.id}`} {...route} />;
    case 'apps':
      return <AppsPage />;
    case 'app':
      return <AppPage key={route.name} name={route.name} />;
    case 'tokens':
      return isAdmin() ? <TokensPage /> : <AdminOnly title="Tokens" what="manage tokens" />;
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
