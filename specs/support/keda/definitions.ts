import type { KubeObject } from '../../../crds/kind.ts';

const count = { type: 'integer', format: 'int32', minimum: 0 } as const;
const atLeastOne = { ...count, minimum: 1 } as const;
const text = { type: 'string' } as const;
const some = { type: 'string', minLength: 1 } as const;
const port = { ...atLeastOne, maximum: 65_535 } as const;

const object = (properties: object, required: readonly string[] = [], rules: readonly object[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  ...(rules.length > 0 ? { 'x-kubernetes-validations': rules } : {}),
});
const listOf = (items: object) => ({ type: 'array', items });

const condition = object({ type: text, status: text, reason: text, message: text }, ['type', 'status']);
const status = object({ conditions: listOf(condition), lastActiveTime: { ...text, format: 'date-time' } });

const target = object(
  { service: some, port, portName: some },
  ['service'],
  [{ rule: 'has(self.port) != has(self.portName)', message: 'a port or its name' }],
);
const scalingMetric = object(
  {
    concurrency: object({ targetValue: atLeastOne }, ['targetValue']),
    requestRate: object({ targetValue: atLeastOne }, ['targetValue']),
  },
  [],
  [{ rule: 'has(self.concurrency) || has(self.requestRate)', message: 'one of the metrics' }],
);
const hosts = { ...listOf(text), 'x-kubernetes-list-type': 'set' } as const;
const routeSpec = object({ target, scalingMetric, rules: listOf(object({ hosts })) }, ['target', 'scalingMetric']);

const trigger = object({ type: some, name: text, metadata: { type: 'object', additionalProperties: text } }, [
  'type',
  'metadata',
]);
const scalerSpec = object(
  {
    scaleTargetRef: object({ name: some, kind: text, apiVersion: text }, ['name']),
    minReplicaCount: count,
    maxReplicaCount: atLeastOne,
    cooldownPeriod: count,
    initialCooldownPeriod: count,
    pollingInterval: atLeastOne,
    triggers: { ...listOf(trigger), minItems: 1 },
  },
  ['scaleTargetRef', 'triggers'],
  [
    {
      rule: '!has(self.minReplicaCount) || self.minReplicaCount <= (has(self.maxReplicaCount) ? self.maxReplicaCount : 100)',
      message: 'no more at least than at most',
    },
  ],
);

interface Defined {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly spec: object;
}

const definition = ({ group, version, kind, spec }: Defined): KubeObject & { readonly spec: object } => {
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: object({ spec, status }, ['spec']) },
          subresources: { status: {} },
        },
      ],
    },
  };
};

/** The kinds of KEDA and of its HTTP add-on, as far as their published schemas say what Core writes and reads. */
export const kedaDefinitions = [
  definition({ group: 'http.keda.sh', version: 'v1beta1', kind: 'InterceptorRoute', spec: routeSpec }),
  definition({ group: 'keda.sh', version: 'v1alpha1', kind: 'ScaledObject', spec: scalerSpec }),
] as const;
