import { fullName, type Kind, type PrinterColumn, version } from './kind.ts';
import { group, program } from './names.ts';
import { type Schema, structural } from './schema.ts';

/** The definition with which a cluster serves a kind. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames: readonly string[];
      readonly categories: readonly string[];
    };
    readonly scope: 'Namespaced';
    readonly versions: readonly {
      readonly name: string;
      readonly served: true;
      readonly storage: true;
      readonly schema: { readonly openAPIV3Schema: Schema };
      readonly subresources: { readonly status: object };
      readonly additionalPrinterColumns?: readonly PrinterColumn[];
    }[];
  };
}

/** The manifest of a kind, in the form that kube-apiserver accepts. */
export function manifestOf(kind: Kind): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: fullName(kind) },
    spec: {
      group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.kind.toLowerCase(),
        shortNames: kind.shortNames,
        categories: [program],
      },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: objectSchemaOf(kind) },
          subresources: { status: {} },
          ...(kind.columns.length > 0 && { additionalPrinterColumns: kind.columns }),
        },
      ],
    },
  };
}

/** The schema of the whole object; a spec without required fields may be omitted. */
export function objectSchemaOf(kind: Kind): Schema {
  const spec: Schema = { description: `What is wanted of the ${kind.kind}.`, ...structural(kind.spec) };
  const status: Schema = { description: `What was last observed of the ${kind.kind}.`, ...structural(kind.status) };
  return {
    type: 'object',
    description: kind.describes,
    ...(spec.required && { required: ['spec'] }),
    properties: {
      apiVersion: { type: 'string', description: 'Version of the schema of this object.' },
      kind: { type: 'string', description: 'Kind of this object.' },
      metadata: { type: 'object' },
      spec: spec.required ? spec : { ...spec, default: {} },
      status,
    },
    ...(kind.rules && { 'x-kubernetes-validations': kind.rules }),
  };
}
