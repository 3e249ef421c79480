import type { KubeObject } from '../../../crds/kind.ts';
import { group, systemNamespace, version } from '../../../crds/names.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';

/** An object whose status is the world of a lifecycle's model, field by field. */
export interface Puppet extends KubeObject {
  readonly status?: Readonly<Record<string, unknown>>;
}

/** The surroundings of a puppet: the fields of its world that its passes do not record, each as JSON. */
export interface PuppetObserved extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const puppets: Resource<Puppet> = {
  group,
  version,
  kind: 'CorePuppet',
  plural: 'corepuppets',
  namespaced: true,
};
export const configMaps: Resource<PuppetObserved> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

/** The single puppet of a path, and its surroundings. */
export const puppetName = { name: 'puppet', namespace: systemNamespace };
export const outsideName = { name: 'puppet-outside', namespace: systemNamespace };

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

/** The definition by which a cluster serves puppets: a status with arbitrary fields. */
export const puppetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${puppets.plural}.${group}` },
  spec: {
    group,
    names: {
      kind: puppets.kind,
      listKind: `${puppets.kind}List`,
      plural: puppets.plural,
      singular: puppets.kind.toLowerCase(),
    },
    scope: 'Namespaced',
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
        subresources: { status: {} },
      },
    ],
  },
} as const;
