import type { Read, Settings, UnmanagedNode } from '../../../api.ts';
import { fieldsIn, textIn, textsIn } from '../../model/details.ts';
import { type FormValues, wordsIn } from '../../model/form.ts';
import type { Field } from '../../model/settingFields.ts';

/** A field of the platform's settings. */
export type PlatformField = Pick<Field, 'name' | 'label' | 'kind' | 'help' | 'options'>;

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
    label: 'Root domain',
    kind: 'text',
    help: 'The dashboard is served at core.<root domain>, and services without a host get one under it.',
  },
  {
    name: 'dashboardURL',
    label: 'Address of the dashboard',
    kind: 'text',
    help: 'https://core.<root domain> when empty.',
  },
  {
    name: 'dashboardExposure',
    label: 'Published by',
    kind: 'choice',
    options: [
      { value: 'ingress', label: 'Ingress' },
      { value: 'tunnel', label: 'Tunnel' },
    ],
    help: 'An Ingress answers at the public IP; a tunnel needs none, but a DNS provider or a tunnel of your own.',
  },
  {
    name: 'tunnelCNAMETarget',
    label: 'Tunnel hostname',
    kind: 'text',
    help: 'Only for a tunnel of your own; the platform writes that of its own tunnel here.',
  },
  {
    name: 'dnsZoneID',
    label: 'DNS zone',
    kind: 'text',
    help: 'Id of the zone; the one of the root domain when empty.',
  },
];

export const domainValues = ({ spec }: Settings): FormValues =>
  Object.fromEntries(domainFields.map(({ name }) => [name, textIn(fieldsIn(spec)[name])]));

/** Only what was changed is sent: a field left out stays. */
export const changedBody = (dirty: readonly string[], values: FormValues): Readonly<Record<string, string>> =>
  Object.fromEntries(dirty.map((name) => [name, values[name] ?? '']));

export const dnsFields: readonly PlatformField[] = [
  { name: 'apiToken', label: 'API token', kind: 'secret', help: 'Edits DNS in a zone and tunnels in an account.' },
  { name: 'accountId', label: 'Account', kind: 'text', help: 'Its id at the provider.' },
  { name: 'zoneName', label: 'Zone', kind: 'text', help: 'The one of the root domain when empty.' },
  { name: 'zones', label: 'Zones that may be used', kind: 'text', help: 'Separated by commas; all when empty.' },
];
/** Credentials are never read back. */
export const dnsValues: FormValues = { apiToken: '', accountId: '', zoneName: '', zones: '' };

export const gitAppFields: readonly PlatformField[] = [
  { name: 'appId', label: 'Application', kind: 'text', help: 'Its id at the Git host.' },
  { name: 'clientId', label: 'Client', kind: 'text', help: 'Its client id there.' },
  { name: 'slug', label: 'Short name', kind: 'text', help: 'As in the address of the application.' },
  { name: 'clientSecret', label: 'Client secret', kind: 'secret' },
  { name: 'webhookSecret', label: 'Webhook secret', kind: 'secret', help: 'What the Git host signs its events with.' },
  {
    name: 'privateKey',
    label: 'Private key',
    kind: 'secretText',
    help: 'The whole file, with its first and last line.',
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
    label: 'Repository',
    kind: 'text',
    help: 'Image destination of builds, used exactly as written.',
  },
  { name: 'server', label: 'Server', kind: 'text', help: 'The one of the repository when empty.' },
  { name: 'username', label: 'User', kind: 'text', help: 'Empty for a registry without a login.' },
  { name: 'password', label: 'Password', kind: 'secret' },
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
    label: 'Contact of the certificate issuer',
    kind: 'text',
    help: 'An e-mail address; certificates are issued once there is one.',
  },
  { name: 'defaultRegion', label: 'Default region', kind: 'text', help: 'Of projects that name none.' },
  { name: 'storage', label: 'Replicated storage', kind: 'switch', help: 'Turning it off keeps what is installed.' },
  {
    name: 'serverless',
    label: 'Let services sleep',
    kind: 'switch',
    help: 'Installs what puts a service without requests to sleep, and wakes it; each service chooses.',
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
    label: 'Name',
    kind: 'text',
    help: 'Lowercase letters, digits, hyphens and dots; the node gets the same name.',
  },
  { name: 'address', label: 'Address', kind: 'text', help: 'Reached by SSH on port 22.' },
  { name: 'user', label: 'User', kind: 'text', help: 'root when empty; another one must be able to use sudo.' },
  {
    name: 'secret',
    label: 'Secret with the key',
    kind: 'text',
    help: 'With the key ssh-privatekey, and known_hosts to verify the server. Without one the server joins on its own.',
  },
  { name: 'region', label: 'Region', kind: 'text' },
  { name: 'tags', label: 'Tags', kind: 'text', help: 'Separated by spaces.' },
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
  { name: 'tags', label: 'Tags', kind: 'text', help: 'Separated by spaces: the whole list.' },
  { name: 'reserved', label: 'Reserved for', kind: 'text', help: 'One of the tags; empty for none.' },
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
