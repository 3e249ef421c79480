/** The pages of the platform and of what a project reaches, and what each shows once it is read. */
export const platformPages = (
  ofProject: (page: string) => string,
): readonly (readonly [path: string, shows: string])[] => [
  ['/settings/domain', 'DNS records to create'],
  ['/settings/connectors', 'Git host application'],
  ['/settings/registry', 'platform-registry'],
  ['/settings/usage', 'HA readiness'],
  ['/settings/clusters', 'Default region'],
  ['/settings/nodes', 'Ports of a server'],
  ['/settings/cli', 'Agents over HTTP'],
  [ofProject('webhooks'), 'Rotate secret'],
  [ofProject('git'), 'Disconnect'],
  [ofProject('pull-requests'), 'They are turned on'],
  ['/machines/dashboardDomainReady/coreplatformconfigs:platform', 'Timeline'],
];
