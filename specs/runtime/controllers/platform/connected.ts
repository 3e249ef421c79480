import type { CoreApp } from '../../../../crds/coreApp.ts';
import { coreApp } from '../../../../crds/coreApp.ts';
import type { PlatformConfigSpec } from '../../../../crds/corePlatformConfig.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { apps } from '../../../../runtime/services/cluster/kinds.ts';
import { inSystem } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { platformSession, putCredentials, putGround } from './session.ts';

/** The host of the dashboard. */
export const host = 'core.example.org';
export const connected: Partial<PlatformConfigSpec> = {
  rootDomain: 'example.org',
  dnsConnectionRef: { name: 'platform-dns' },
};
export const tunnel: Partial<PlatformConfigSpec> = { ...connected, dashboardExposure: 'tunnel' };
export const prepared = (environment: TestEnvironment) => {
  putGround(environment);
  putCredentials(environment);
};
export const startSession = (
  given: Partial<PlatformConfigSpec> = connected,
  prepare: (environment: TestEnvironment) => void = prepared,
) => platformSession(given, prepare);
export type Session = Awaited<ReturnType<typeof startSession>>;

/** A service with a host of its own. */
export const putApp = ({ cluster }: TestEnvironment, name: string, at = `${name}.example.org`) =>
  void cluster.put<CoreApp>(apps, {
    ...typeMeta(coreApp),
    metadata: inSystem(name),
    spec: {
      project: 'shop',
      environment: 'production',
      source: { image: 'image' },
      networking: { host: at },
      deploy: { enabled: true },
    },
  });
