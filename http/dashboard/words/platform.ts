import type { Read, Settings } from '../../api.ts';
import { fieldsIn, textIn, textsIn } from './details.ts';
import type { FormValues } from './form.ts';
import type { Field } from './settingFields.ts';

type FormFieldOf = Pick<Field, 'name' | 'word' | 'kind' | 'means' | 'options'>;

/** The pages of the platform's settings, with their words. */
export const platformWords = {
  domain: 'Domain',
  connectors: 'Connectors',
  registry: 'Registry',
  clusters: 'Clusters',
  nodes: 'Nodes',
} as const;

export const domainFields: readonly FormFieldOf[] = [
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
    options: ['ingress', 'tunnel'],
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

export const dnsFields: readonly FormFieldOf[] = [
  { name: 'apiToken', word: 'API token', kind: 'text', means: 'Edits DNS in a zone and tunnels in an account.' },
  { name: 'accountId', word: 'Account', kind: 'text' },
  { name: 'zoneName', word: 'Zone', kind: 'text', means: 'The one of the root domain when empty.' },
  { name: 'zones', word: 'Zones that may be used', kind: 'text', means: 'Separated by commas; all when empty.' },
];
/** Credentials are never read back. */
export const dnsValues: FormValues = { apiToken: '', accountId: '', zoneName: '', zones: '' };

export const gitAppFields: readonly FormFieldOf[] = [
  { name: 'appId', word: 'Application', kind: 'text', means: 'Its id at the Git host.' },
  { name: 'clientId', word: 'Client', kind: 'text' },
  { name: 'slug', word: 'Short name', kind: 'text', means: 'As in the address of the application.' },
  { name: 'clientSecret', word: 'Client secret', kind: 'text' },
  { name: 'webhookSecret', word: 'Webhook secret', kind: 'text', means: 'What the Git host signs its events with.' },
  { name: 'privateKey', word: 'Private key', kind: 'text', means: 'The whole file, with its first and last line.' },
];
/** All six are saved together, because the one is of no use without the others. */
export const gitAppValues: FormValues = Object.fromEntries(gitAppFields.map(({ name }) => [name, '']));

/** What the Git host sent a browser back with; null for any other visit. */
export function manifestReturn(search: string): { readonly code: string; readonly state: string } | null {
  const asked = new URLSearchParams(search);
  const [code, state] = [asked.get('code') ?? '', asked.get('state') ?? ''];
  return code === '' || state === '' ? null : { code, state };
}

export const registryFields: readonly FormFieldOf[] = [
  {
    name: 'repository',
    word: 'Repository',
    kind: 'text',
    means: 'Image destination of builds, used exactly as written.',
  },
  { name: 'server', word: 'Server', kind: 'text', means: 'The one of the repository when empty.' },
  { name: 'username', word: 'User', kind: 'text', means: 'Empty for a registry without a login.' },
  { name: 'password', word: 'Password', kind: 'text' },
];
export const registryValues = ({ registry: { repository, server, username } }: Settings): FormValues => ({
  repository,
  server,
  username,
  password: '',
});

export const clusterFields: readonly FormFieldOf[] = [
  {
    name: 'acmeEmail',
    word: 'Contact of the certificate issuer',
    kind: 'text',
    means: 'Certificates are issued once there is an address.',
  },
  { name: 'defaultRegion', word: 'Default region', kind: 'text', means: 'Of projects that name none.' },
  { name: 'storage', word: 'Replicated storage', kind: 'switch', means: 'Turning it off keeps what is installed.' },
  { name: 'serverless', word: 'Let services sleep', kind: 'switch' },
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

export const nodeFields: readonly FormFieldOf[] = [
  { name: 'name', word: 'Name', kind: 'text', means: 'The node gets the same name.' },
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

export const wordsIn = (text = ''): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== '');

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

export const tagFields: readonly FormFieldOf[] = [
  { name: 'tags', word: 'Tags', kind: 'text', means: 'Separated by spaces: the whole list.' },
  { name: 'reserved', word: 'Reserved for', kind: 'text', means: 'One of the tags; empty for none.' },
];
export const tagValues = (details: Readonly<Record<string, unknown>>): FormValues => ({
  tags: textsIn(details['tags']).join(' '),
  reserved: textIn(details['reserved']),
});
export const tagBody = ({ tags, reserved = '' }: FormValues): object => ({ tags: wordsIn(tags), reserved });

type SettingsCondition = Settings['conditions'][number];

/** A condition of the platform, and how it looks. */
export function conditionLook(
  conditions: readonly SettingsCondition[],
  type: string,
): (SettingsCondition & { readonly tone: 'good' | 'bad' | 'waiting' | 'idle' }) | null {
  const found = conditions.find((one) => one.type === type);
  if (!found) return null;
  if (found.status === 'True') return { ...found, tone: 'good' };
  if (found.reason === 'NoDomain') return { ...found, tone: 'idle' };
  if (found.status === 'Unknown' || found.reason.startsWith('Pending')) return { ...found, tone: 'waiting' };
  return { ...found, tone: 'bad' };
}
