import { Optional as optional, Type } from '@sinclair/typebox';
import { noAddress, noAddressInUrl } from './hostName.ts';
import { imageReference } from './imageReference.ts';
import { conditions, defineKind, history, type ObjectOf, observedGeneration, shape } from './kind.ts';

const registry = Type.Object(
  {
    repository: optional(
      imageReference('Image destination of builds whose service names none, used exactly as written.'),
    ),
    credentialRef: optional(
      shape.reference('Secret with the key `.registryconfigjson`; builds push with it and nodes pull with it.'),
    ),
  },
  { description: 'Image registry of repository builds.' },
);

const traefikAccessLogs = Type.Object(
  {
    enabled: optional(shape.flag('Not read.')),
    format: optional(shape.text('Not read.')),
    networkLogEndpoint: optional(shape.text('Not read.')),
  },
  { description: 'Present for compatibility; not read.' },
);

const domain = Type.Object(
  {
    generation: optional(shape.count('The generation that was checked.', { format: 'int64' })),
    pendingSince: optional(shape.time('The first failing check of the generation.')),
    dns: optional(shape.text('`right`, `elsewhere` or `recordRefused`.')),
    dnsWhy: optional(shape.text('What DNS said, where it is not right.')),
    probeWhy: optional(shape.text('Why the address did not answer; empty where it does.')),
    cause: optional(shape.text('What was wrong when the verification timed out.')),
  },
  { description: 'What the last check of the dashboard domain found.' },
);

const dnsProvider = Type.Object(
  {
    why: optional(shape.text('What failed, empty where nothing did.')),
    zone: optional(shape.text('`settled`, `undecided`, or `none` without a root domain.')),
    dashboardRecord: optional(shape.flag("Whether the record of the dashboard's host is in place.")),
    host: optional(shape.text('The host of the dashboard when its record was last read.')),
    routes: optional(shape.text('Hash of the routes that were last published.')),
    target: optional(shape.text('The tunnel hostname that Core wrote into the spec.')),
  },
  { description: 'How the DNS provider stands.' },
);

/** The only object of its kind that Core reads. */
export const platformConfigName = 'platform';

/** Settings of the whole platform: the object `platform` in core-system. */
export const corePlatformConfig = defineKind({
  kind: 'CorePlatformConfig',
  plural: 'coreplatformconfigs',
  shortNames: ['cpc'],
  describes: 'Settings of the whole platform: the one object named `platform`.',
  columns: [],
  spec: Type.Object({
    rootDomain: optional(
      shape.text(
        'Apex domain; the dashboard is served at `<subdomain>.<rootDomain>`. Taken from `dashboardURL` when empty.',
        {
          pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$',
          maxLength: 253,
          'x-kubernetes-validations': noAddress,
        },
      ),
    ),
    dashboardURL: optional(
      shape.text('Public address of the dashboard; `https://core.<rootDomain>` when empty.', {
        pattern: '^https://[a-zA-Z0-9.-]+(?::[0-9]+)?$',
        maxLength: 300,
        'x-kubernetes-validations': noAddressInUrl,
      }),
    ),
    dashboardExposure: shape.choice(
      '`ingress`, when left out, publishes the dashboard by an Ingress, `tunnel` by a tunnel.',
      ['ingress', 'tunnel'],
      { default: 'ingress' },
    ),
    tunnelCNAMETarget: optional(
      shape.text('Tunnel hostname; set by hand only for a tunnel of your own.', {
        pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
        maxLength: 253,
        'x-kubernetes-validations': noAddress,
      }),
    ),
    dnsConnectionRef: optional(
      shape.reference(
        'Secret with the DNS provider credentials: `apiToken`, `accountId`, optionally `zoneName`, `zones`.',
      ),
    ),
    dnsZoneID: optional(
      shape.text('DNS zone of automatic records; the zone named like the root domain, or the only one, when empty.'),
    ),
    gitAppRef: optional(
      shape.reference(
        'Secret of the Git host application: `app_id`, `client_id`, `client_secret`, `slug`, `private_key`, `webhook_secret`.',
      ),
    ),
    prometheusURL: optional(shape.text('Where the dashboard queries metrics.')),
    defaultClusterRef: optional(shape.reference('CoreCluster of new projects when there are several.')),
    registry: optional(registry),
    defaultDomain: optional(shape.text('Present for compatibility; not read.')),
    traefikAccessLogs: optional(traefikAccessLogs),
  }),
  status: Type.Object({
    tunnelID: optional(shape.text('Id of the managed tunnel.')),
    domainState: optional(shape.text('State of the verification of the dashboard domain.')),
    domain: optional(domain),
    dnsProviderState: optional(shape.text('State of the DNS provider, empty without a connection.')),
    dnsProvider: optional(dnsProvider),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
    history: optional(history),
  }),
});

export type CorePlatformConfig = ObjectOf<typeof corePlatformConfig>;
export type PlatformConfigSpec = CorePlatformConfig['spec'];
