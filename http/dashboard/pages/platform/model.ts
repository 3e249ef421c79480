import type { Read, Settings, UnmanagedNode } from '../../../api.ts';
import { fieldsIn, textIn, textsIn } from '../../model/details.ts';
import { type FormValues, wordsIn } from '../../model/form.ts';
import type { Field } from '../../model/settingFields.ts';

/** A field of the platform's settings. */
export type PlatformField = Pick<Field, 'name' | 'word' | 'kind' | 'means' | 'options'>;

/** The pages of the platform's settings, with their words. */
export const platformWords = {
  domain: 'Domain',
  connectors: 'Connectors',
  registry: 'Registry',
  usage: 'Usage',
  clusters: 'Clusters',
  nodes: 'Nodes',
} as const;

export const domainFields: readonly PlatformField[] = [
  {
    name: 'rootDomain',
    word: 'Root domain',
    kind: 'text',
    means: 'The dashboard is served at core.<root domain>, and services without a host get one under it.',
  },
  {
    name: 'dashboardURL',
    word: 'Address of the dashboard',
    kind: 'text',
    means: 'https://core.<root domain> when empty.',
  },
  {
    name: 'dashboardExposure',
    word: 'Published by',
    kind: 'choice',
    options: [
      { value: 'ingress', word: 'Ingress' },
      { value: 'tunnel', word: 'Tunnel' },
    ],
    means: 'An Ingress answers at the public IP; a tunnel needs none, but a DNS provider or a tunnel of your own.',
  },
  {
    name: 'tunnelCNAMETarget',
    word: 'Tunnel hostname',
    kind: 'text',
    means: 'Only for a tunnel of your own; the platform writes that of its own tunnel here.',
  },
  {
    name: 'dnsZoneID',
    word: 'DNS zone',
    kind: 'text',
    means: 'Id of the zone; the one of the root domain when empty.',
  },
];

export const domainValues = ({ spec }: Settings): FormValues =>
  Object.fromEntries(domainFields.map(({ name }) => [name, textIn(fieldsIn(spec)[name])]));

/** Only what was changed is sent: a field left out stays. */
export const changedBody = (dirty: readonly string[], values: FormValues): Readonly<Record<string, string>> =>
  Object.fromEntries(dirty.map((name) => [name, values[name] ?? '']));

export const dnsFields: readonly PlatformField[] = [
  { name: 'apiToken', word: 'API token', kind: 'secret', means: 'Edits DNS in a zone and tunnels in an account.' },
  { name: 'accountId', word: 'Account', kind: 'text', means: 'Its id at the provider.' },
  { name: 'zoneName', word: 'Zone', kind: 'text', means: 'The one of the root domain when empty.' },
  { name: 'zones', word: 'Zones that may be used', kind: 'text', means: 'Separated by commas; all when empty.' },
];
/** Credentials are never read back. */
export const dnsValues: FormValues = { apiToken: '', accountId: '', zoneName: '', zones: '' };

export const gitAppFields: readonly PlatformField[] = [
  { name: 'appId', word: 'Application', kind: 'text', means: 'Its id at the Git host.' },
  { name: 'clientId', word: 'Client', kind: 'text', means: 'Its client id there.' },
  { name: 'slug', word: 'Short name', kind: 'text', means: 'As in the address of the application.' },
  { name: 'clientSecret', word: 'Client secret', kind: 'secret' },
  { name: 'webhookSecret', word: 'Webhook secret', kind: 'secret', means: 'What the Git host signs its events with.' },
  {
    name: 'privateKey',
    word: 'Private key',
    kind: 'secretText',
    means: 'The whole file, with its first and last line.',
  },
];
/** All six are saved together, because the one is of no use without the others. */
export const gitAppValues: FormValues = Object.fromEntries(gitAppFields.map(({ name }) => [name, '']));

/** What the Git host sent a browser back with; null for any other visit. */
export function manifestReturn(search: string): { readonly code: string; readonly state: string } | null {
  const asked = new URLSearchParams(search);
  const [code, state] = [asked.get('code') ?? '', asked.get('state') ?? ''];
  return code === '' || state === '' ? null : { code, state };
}

export const registryFields: readonly PlatformField[] = [
  {
    name: 'repository',
    word: 'Repository',
    kind: 'text',
    means: 'Image destination of builds, used exactly as written.',
  },
  { name: 'server', word: 'Server', kind: 'text', means: 'The one of the repository when empty.' },
  { name: 'username', word: 'User', kind: 'text', means: 'Empty for a registry without a login.' },
  { name: 'password', word: 'Password', kind: 'secret' },
];
export const registryValues = ({ registry: { repository, server, username } }: Settings): FormValues => ({
  repository,
  server,
  username,
  password: '',
});

export const clusterFields: readonly PlatformField[] = [
  {
    name: 'acmeEmail',
    word: 'Contact of the certificate issuer',
    kind: 'text',
    means: 'An e-mail address; certificates are issued once there is one.',
  },
  { name: 'defaultRegion', word: 'Default region', kind: 'text', means: 'Of projects that name none.' },
  { name: 'storage', word: 'Replicated storage', kind: 'switch', means: 'Turning it off keeps what is installed.' },
  {
    name: 'serverless',
    word: 'Let services sleep',
    kind: 'switch',
    means: 'Installs what puts a service without requests to sleep, and wakes it; each service chooses.',
  },
];

export function clusterValues({ spec }: Read): FormValues {
  const addons = fieldsIn(spec['addons']);
  return {
    acmeEmail: textIn(spec['acmeEmail']),
    defaultRegion: textIn(spec['defaultRegion']),
    storage: addons['storage'] === true ? 'on' : '',
    serverless: addons['serverless'] === true ? 'on' : '',
  };
}

export function clusterBody(dirty: readonly string[], values: FormValues): object {
  const isAddon = (name: string) => name === 'storage' || name === 'serverless';
  const addons = dirty.filter(isAddon);
  return {
    ...changedBody(
      dirty.filter((name) => !isAddon(name)),
      values,
    ),
    ...(addons.length === 0 ? {} : { addons: Object.fromEntries(addons.map((name) => [name, values[name] === 'on'])) }),
  };
}

export const nodeFields: readonly PlatformField[] = [
  {
    name: 'name',
    word: 'Name',
    kind: 'text',
    means: 'Lowercase letters, digits, hyphens and dots; the node gets the same name.',
  },
  { name: 'address', word: 'Address', kind: 'text', means: 'Reached by SSH on port 22.' },
  { name: 'user', word: 'User', kind: 'text', means: 'root when empty; another one must be able to use sudo.' },
  {
    name: 'secret',
    word: 'Secret with the key',
    kind: 'text',
    means: 'With the key ssh-privatekey, and known_hosts to verify the server. Without one the server joins by itself.',
  },
  { name: 'region', word: 'Region', kind: 'text' },
  { name: 'tags', word: 'Tags', kind: 'text', means: 'Separated by spaces.' },
];
export const nodeValues: FormValues = Object.fromEntries(nodeFields.map(({ name }) => [name, '']));

export function nodeBody({ name = '', address = '', user, secret, region, tags }: FormValues): object {
  return {
    name,
    address,
    ...(user ? { user } : {}),
    ...(secret ? { sshKeySecretRef: { name: secret } } : {}),
    ...(region ? { region } : {}),
    ...(wordsIn(tags).length === 0 ? {} : { tags: wordsIn(tags) }),
  };
}

/** The entry of a node that runs already: it keeps the region and the tags that the node has. */
export const managedBody = ({ name, address, region, tags }: UnmanagedNode): object => ({
  name,
  address,
  ...(region === '' ? {} : { region }),
  ...(tags.length === 0 ? {} : { tags }),
});

export const tagFields: readonly PlatformField[] = [
  { name: 'tags', word: 'Tags', kind: 'text', means: 'Separated by spaces: the whole list.' },
  { name: 'reserved', word: 'Reserved for', kind: 'text', means: 'One of the tags; empty for none.' },
];
export const tagValues = (details: Readonly<Record<string, unknown>>): FormValues => ({
  tags: textsIn(details['tags']).join(' '),
  reserved: textIn(details['reserved']),
});
export const tagBody = ({ tags, reserved = '' }: FormValues): object => ({ tags: wordsIn(tags), reserved });

/** Whether the domain was not verified in time; it is then checked less often. */
export const hasTimedOut = ({ conditions }: Settings): boolean =>
  conditions.some(({ type, reason }) => type === 'DashboardDomainReady' && reason === 'VerificationTimedOut');

/** Whether a cluster issues certificates, and why not. */
export function issuerWord({ status }: Read): string {
  const conditions = Array.isArray(status['conditions']) ? status['conditions'].map(fieldsIn) : [];
  return textIn(conditions.find(({ type }) => type === 'ClusterIssuerReady')?.['message']);
}

/** The keys of a Secret that are stored. */
export const storedWord = (keys: readonly string[]): string => (keys.length === 0 ? 'none' : keys.join(', '));
