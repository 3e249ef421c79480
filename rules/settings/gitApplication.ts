import type { CorePlatformConfig } from '../../crds/corePlatformConfig.ts';
import { program } from '../../crds/names.ts';
import { conditionOf } from '../condition.ts';

/** The Secret of the platform's Git host application. */
export const gitAppSecret = 'platform-git-app';

/** Its six values, by their keys in the Secret (document 001, gitAppRef). */
export const gitAppKeys = {
  appId: 'app_id',
  clientId: 'client_id',
  clientSecret: 'client_secret',
  slug: 'slug',
  privateKey: 'private_key',
  webhookSecret: 'webhook_secret',
} as const;

export type GitAppValues = Readonly<Record<keyof typeof gitAppKeys, string>>;

/** Whether the current address of the dashboard is verified. */
export function isVerified(config: CorePlatformConfig | undefined): boolean {
  const ready = config && conditionOf(config, 'DashboardDomainReady');
  const isNow = ready?.observedGeneration === undefined || ready.observedGeneration === config?.metadata.generation;
  return ready?.status === 'True' && ready.reason === 'Verified' && isNow;
}

/** The public address of the dashboard; empty when none is set. */
export const dashboardAddress = ({ spec }: CorePlatformConfig): string =>
  spec.dashboardURL || (spec.rootDomain ? `https://${program}.${spec.rootDomain}` : '');

/** The permissions and events of the application (document 002, Authentication). */
const gitAppPermissions = { checks: 'read', contents: 'read', metadata: 'read', pull_requests: 'read' } as const;

/** The manifest from which the Git host creates the application. */
export const gitAppManifest = (dashboard: string) => ({
  name: `${program}-${new URL(dashboard).hostname.replaceAll('.', '-')}`.slice(0, 34),
  url: dashboard,
  hook_attributes: { url: `${dashboard}/webhooks/git`, active: true },
  redirect_url: `${dashboard}/settings/connectors`,
  public: false,
  default_permissions: gitAppPermissions,
  default_events: ['push', 'pull_request'],
});
