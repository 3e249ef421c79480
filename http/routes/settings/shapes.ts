import { Optional as optional, Type } from '@sinclair/typebox';
import { corePlatformConfig } from '../../../crds/corePlatformConfig.ts';
import { type ReadonlyStatic, anyFields, oneOf, text } from '../../openapi/kit.ts';
import { requestedFields } from '../../openapi/requestedFields.ts';

const fields = requestedFields(corePlatformConfig.spec, []);

const emptyOr = (pattern: unknown): string => (typeof pattern === 'string' ? `^$|${pattern}` : '');

/** A field of the platform's settings, or an empty text that clears it. */
const orEmpty = (name: string, example: string) =>
  Type.Unsafe<string>({ ...fields[name], pattern: emptyOr(fields[name]?.['pattern']), examples: [example] });

export const domainRequest = Type.Object(
  {
    rootDomain: optional(orEmpty('rootDomain', 'example.org')),
    dashboardURL: optional(orEmpty('dashboardURL', 'https://core.example.org')),
    dashboardExposure: optional(oneOf('ingress', 'tunnel')),
    tunnelCNAMETarget: optional(orEmpty('tunnelCNAMETarget', 'tunnel.example.org')),
    dnsZoneID: optional(text('Id of the zone of automatic records.')),
  },
  { title: 'DomainAsked' },
);

export const dnsRequest = Type.Object(
  {
    apiToken: optional(text('Edits DNS in a zone and tunnels in an account; the stored one stays when it is empty.')),
    accountId: optional(text()),
    zoneName: optional(text('Name of the zone to use; empty for the one that fits.')),
    zones: optional(text('Names of the zones that may be used, separated by commas; empty for all.')),
  },
  { title: 'DnsAsked' },
);

export const registryRequest = Type.Object(
  {
    repository: optional(text('Image destination of builds whose service names none.')),
    server: optional(text("The registry's host; the one of the repository when empty.")),
    username: optional(text()),
    password: optional(text('The stored one stays when it is left out or empty.')),
  },
  { title: 'RegistryAsked' },
);

const condition = Type.Object({
  type: text(),
  status: text(),
  reason: text(),
  message: text(),
  observedGeneration: Type.Integer(),
  lastTransitionTime: text('A time.'),
});

/** A Secret of the settings: whether it is there and which keys it has, never their values. */
const secret = Type.Object({ name: text(), found: Type.Boolean(), keys: Type.Array(text()) });

export const settings = Type.Object(
  {
    spec: anyFields,
    generation: Type.Integer(),
    conditions: Type.Array(condition),
    domain: Type.Object({
      root: text('Empty without a domain.'),
      host: text("The dashboard's host."),
      url: text("The dashboard's address."),
      publicIPs: Type.Array(text()),
      nextCheckAt: text('When an unverified domain times out; empty otherwise.'),
      records: Type.Array(Type.Object({ type: text(), name: text(), content: text() }), {
        description: 'What has to be made by hand without a DNS provider.',
      }),
      issuer: text('Why no certificates are issued; empty where they are.'),
    }),
    secrets: Type.Object({ dns: secret, registry: secret, gitApp: secret }),
    registry: Type.Object({ repository: text(), server: text(), username: text(), hasPassword: Type.Boolean() }),
  },
  { title: 'Settings' },
);
/** GET /api/v1/settings */
export type Settings = ReadonlyStatic<typeof settings>;
