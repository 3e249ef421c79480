import { type Answer, json, kept } from './answer.ts';
import type { Registry } from './kinds/registry.ts';
import { storageVersionHash } from './kinds/storageVersion.ts';
import { byPreference } from './kinds/versionOrder.ts';
import { type ResourceType, type Subresource, customVerbs, groupVersion, verbsOf } from './kinds/type.ts';

/** The version of Kubernetes whose API this is like. */
export const version = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.0+core',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: process.version,
  compiler: 'v8',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The discovery documents; null for any other path. */
export function discover(path: string, accept: string, registry: Registry): Answer | null {
  const types = registry.all();
  const [root, group, version, ...more] = path.split('/').filter((part) => part !== '');
  if (more.length > 0) return null;
  if (root === 'api') {
    if (group === undefined) return wantsAggregated(accept) ? discoveryList(types, true) : json(coreVersions);
    return version === undefined ? resourceList(types, '', group) : null;
  }
  if (root !== 'apis') return null;
  if (group === undefined) return wantsAggregated(accept) ? discoveryList(types, false) : json(groupList(types));
  if (version === undefined) return groupDocument(types, group);
  return resourceList(types, group, version);
}

const wantsAggregated = (accept: string) =>
  accept.split(',').some((range) => /g=apidiscovery\.k8s\.io/.test(range) && /v=v2(;|$)/.test(range.trim()));

const coreVersions = {
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '' }],
};

const groupsOf = (types: readonly ResourceType[]) => [
  ...new Set(types.map(({ group }) => group).filter((group) => group !== '')),
];
/** The versions of a group, the one that is preferred first. */
const versionsOf = (types: readonly ResourceType[], group: string) =>
  [...new Set(types.filter((type) => type.group === group).map(({ version }) => version))].toSorted(byPreference);

function groupOf(types: readonly ResourceType[], name: string) {
  const versions = versionsOf(types, name).map((one) => ({ groupVersion: `${name}/${one}`, version: one }));
  return { name, versions, preferredVersion: versions[0] };
}

const groupList = (types: readonly ResourceType[]) => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groupsOf(types).map((name) => groupOf(types, name)),
});

const groupDocument = (types: readonly ResourceType[], name: string) =>
  groupsOf(types).includes(name) ? json({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(types, name) }) : null;

function resourceList(types: readonly ResourceType[], group: string, version: string): Answer | null {
  const served = types.filter((type) => type.group === group && type.version === version);
  if (served.length === 0) return null;
  const resources = served.flatMap((type) => [
    resourceEntry(type),
    ...type.subresources.map((name) => subresourceEntry(type, name)),
  ]);
  return json({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: groupVersion({ group, version }), resources });
}

const publishedVerbs = (type: ResourceType) => (type.custom ? customVerbs : verbsOf(type));

const resourceEntry = (type: ResourceType) => ({
  name: type.plural,
  singularName: type.singular,
  namespaced: type.namespaced,
  kind: type.kind,
  verbs: publishedVerbs(type),
  ...(type.shortNames.length > 0 && { shortNames: type.shortNames }),
  ...(type.categories.length > 0 && { categories: type.categories }),
  ...(type.custom && { storageVersionHash: storageVersionHash(type.custom.storage) }),
});

function subresourceEntry(type: ResourceType, name: Subresource) {
  const { group = type.group, version, kind = type.kind } = kindsOfTheirOwn[name] ?? {};
  return {
    name: `${type.plural}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...(group !== type.group && { group, version }),
    kind,
    verbs: subresourceVerbs(name),
  };
}

const ofCore = (kind: string) => ({ group: '', version: 'v1', kind });

/** Subresources that are no part of their object. */
const kindsOfTheirOwn: Partial<Record<Subresource, { group: string; version: string; kind: string }>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
  exec: ofCore('PodExecOptions'),
  attach: ofCore('PodAttachOptions'),
  portforward: ofCore('PodPortForwardOptions'),
};

function subresourceVerbs(name: Subresource): readonly string[] {
  if (name === 'log') return ['get'];
  if (name === 'token' || name === 'eviction') return ['create'];
  if (kindsOfTheirOwn[name]?.group === '') return ['create', 'get'];
  if (name === 'finalize') return ['update'];
  return ['get', 'patch', 'update'];
}

function discoveryList(types: readonly ResourceType[], core: boolean): Answer {
  const groups = core ? [''] : groupsOf(types);
  const items = groups.map((name) => ({
    metadata: { name },
    versions: versionsOf(types, name).map((version) => ({
      version,
      freshness: 'Current',
      resources: resourcesOf(types, name, version),
    })),
  }));
  const list = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
  return kept(list, aggregated);
}

const resourcesOf = (types: readonly ResourceType[], group: string, version: string) =>
  types
    .filter((type) => type.group === group && type.version === version)
    .map((type) => ({
      resource: type.plural,
      responseKind: { group, version, kind: type.kind },
      scope: type.namespaced ? 'Namespaced' : 'Cluster',
      singularResource: type.singular,
      verbs: publishedVerbs(type),
      ...(type.shortNames.length > 0 && { shortNames: type.shortNames }),
      ...(type.categories.length > 0 && { categories: type.categories }),
      ...(type.subresources.length > 0 && {
        subresources: type.subresources.map((name) => ({
          subresource: name,
          responseKind: kindsOfTheirOwn[name] ?? { group, version, kind: type.kind },
          verbs: subresourceVerbs(name),
        })),
      }),
    }));
