import { Optional as optional, Type } from '@sinclair/typebox';
import { shape } from './kind.ts';

const quantities = (description: string) => Type.Record(Type.String(), shape.quantity('An amount.'), { description });

/** Compute resources in the form of a Kubernetes container. */
export const resourcesOf = (description: string) =>
  Type.Object(
    {
      requests: optional(quantities('What every copy is guaranteed, such as `cpu: 250m`; nodes are chosen by it.')),
      limits: optional(quantities('What no copy may exceed, such as `memory: 512Mi`.')),
    },
    { description },
  );
