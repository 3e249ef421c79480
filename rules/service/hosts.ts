import type { CorePlatformConfig } from '../../crds/corePlatformConfig.ts';

/** The host that the dashboard is published under; empty while it is not. */
export function dashboardHostOf(config: CorePlatformConfig | undefined): string {
  const { dashboardURL = '', rootDomain = '' } = config?.spec ?? {};
  const host = /^https:\/\/([^/:]+)/.exec(dashboardURL)?.[1] ?? '';
  if (host !== '') return host.toLowerCase();
  return rootDomain === '' ? '' : `core.${rootDomain}`;
}
