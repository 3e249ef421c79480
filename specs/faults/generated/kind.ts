import type { KubeObject } from '../../../crds/kind.ts';
import { group, systemNamespace, version } from '../../../crds/names.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';

/** An object whose status is the world of a lifecycle's model, field by field. */
export interface GeneratedObject extends KubeObject {
  readonly status?: Readonly<Record<string, unknown>>;
}

/** The observed object beside it: the fields of the world that passes do not record, each as JSON. */
export interface GeneratedObserved extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const generatedObjects: Resource<GeneratedObject> = {
  group,
  version,
  kind: 'CoreGenerated',
  plural: 'coregenerateds',
  namespaced: true,
};
export const configMaps: Resource<GeneratedObserved> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

/** The single generated object of a path, and the observed one beside it. */
export const objectName = { name: 'generated', namespace: systemNamespace };
export const outsideName = { name: 'generated-observed', namespace: systemNamespace };

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

/** The definition by which a cluster serves generated objects: a status with arbitrary fields. */
export const generatedDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${generatedObjects.plural}.${group}` },
  spec: {
    group,
    names: {
      kind: generatedObjects.kind,
      listKind: `${generatedObjects.kind}List`,
      plural: generatedObjects.plural,
      singular: generatedObjects.kind.toLowerCase(),
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
