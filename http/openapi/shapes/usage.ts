import { Optional as optional, Type } from '@sinclair/typebox';
import { windowNames } from '../../../rules/usage/window.ts';
import { type ReadonlyStatic, oneOf, text } from '../kit.ts';

export const usageQuery = Type.Object({ window: optional(oneOf(...windowNames)) });

const points = Type.Array(
  Type.Object({ t: Type.Number({ description: 'Seconds since the epoch.' }), v: Type.Number() }),
);

/** The usage of a service, a database or a project. */
export const usage = Type.Object(
  {
    window: oneOf(...windowNames),
    step: Type.Integer({ description: 'Seconds from one value to the next.' }),
    available: Type.Boolean({ description: 'Whether there is a store of metrics.' }),
    message: optional(text('Why there is none.')),
    series: Type.Object(
      {
        cpu: optional(points),
        memory: optional(points),
        network: optional(points),
        networkIn: optional(points),
        requests: optional(points),
        storage: optional(points),
      },
      { description: 'In cores, bytes, bytes sent and received a second, requests a second, and bytes.' },
    ),
  },
  { title: 'Metrics' },
);
/** GET /api/v1/{apps|databases|projects}/{name}/metrics. */
export type Usage = ReadonlyStatic<typeof usage>;
