import type { Dependent, Read, Summary } from '../../api.ts';
import { namesBy } from '../pages/database/text.ts';
import { detailOf, fieldsIn, textIn } from './details.ts';
import { isDraft } from './gate.ts';
import type { Field } from './settingFields.ts';

export const isServer = ({ details }: Summary): boolean => details['mode'] === 'Server';

/** What is filled in of a new server. */
export interface StoreServer {
  readonly name: string;
  readonly storageSize: string;
}

export const emptyStoreServer: StoreServer = { name: '', storageSize: '10Gi' };

/** The body of the request that makes a server: it has no project. */
export const storeServerBody = ({ name, storageSize }: StoreServer, how: 'draft' | 'deploy') => ({
  mode: 'Server',
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  ...(storageSize.trim() === '' ? {} : { storageSize: storageSize.trim() }),
  [how]: true,
});

/** Whether Core named the bucket, which is then emptied and deleted with its object. */
const isOwn = ({ spec }: Read): boolean => textIn(spec['bucket']) === '';

const nameOfRef = (field: unknown): string => textIn(fieldsIn(field)['name']);

/** Where a bucket is: on a server of the cluster or in an account; a server is in the cluster. */
export function placeOfStore({ resource, spec }: Read): string {
  if (isServer(resource)) return 'in the cluster';
  const server = nameOfRef(spec['serverRef']);
  if (server !== '') return `on the object store ${server}`;
  const connection = nameOfRef(spec['connectionRef']);
  return connection === '' ? 'in an account' : `in the account of ${connection}`;
}

/** What is lost with an object store. */
export function storeGoes(read: Read): readonly string[] {
  if (isServer(read.resource)) return ['its pod, its disk with everything on it, and its keys'];
  const named = detailOf(read.resource, 'bucket');
  return [
    ...(isOwn(read) ? [`the bucket${named === '' ? '' : ` ${named}`} with everything in it, old versions too`] : []),
    'its user and its keys',
    'its Secret in the environment',
  ];
}

/** What outlives it. */
export const storeStays = (read: Read): readonly string[] => [
  ...(isServer(read.resource) || isOwn(read) ? [] : [`the bucket ${textIn(read.spec['bucket'])}, and what is in it`]),
  'its history, for 30 days',
];

const lineOf: Readonly<Record<Dependent['by'], (name: string) => string>> = {
  connection: (name) => `service ${name}`,
  logs: (name) => `build logs of service ${name}`,
  server: (name) => `bucket ${name}`,
};

/** Everything that uses an object store, in lines: services, logs, buckets. */
export const usersOfStore = (dependents: readonly Dependent[]): readonly string[] =>
  (['connection', 'logs', 'server'] as const).flatMap((by) => namesBy(by, dependents).map(lineOf[by]));

/** Settings that wait for a deploy: a bucket has none. */
export const storeOnDeploy = ({ resource }: Read): readonly Field[] =>
  isServer(resource)
    ? [
        {
          name: 'storageSize',
          label: 'Storage',
          path: 'storageSize',
          kind: 'text',
          help: 'The disk of the server, such as 10Gi. It grows and never shrinks.',
          absent: '10Gi',
        },
      ]
    : [];

/** What never changes, each with why. */
export function frozenOfStore(
  read: Read,
): readonly { readonly name: string; readonly value: string; readonly why: string }[] {
  const place = { name: 'Runs', value: placeOfStore(read) };
  if (isServer(read.resource))
    return [{ ...place, why: 'A server keeps its data on the nodes it was first deployed to.' }];
  return [
    { ...place, why: 'Another place would be another bucket.' },
    {
      name: 'Bucket',
      value:
        detailOf(read.resource, 'bucket') ||
        textIn(read.spec['bucket']) ||
        (isDraft(read.resource) ? 'is named at the first deploy' : 'none yet'),
      why: 'What is in it would stay behind.',
    },
  ];
}
