import { Type } from '@sinclair/typebox';
import { key } from '../../crds/names.ts';
import { anyFields, type ReadonlyStatic, text } from '../openapi/kit.ts';
import { read } from '../openapi/schema.ts';
import { keptReads, sendRead } from '../response.ts';
import { type Resource, route } from '../route.ts';
import { version as release } from '../version.ts';
import { clusterNodes } from '../../runtime/controllers/node/read.ts';

const simulated = key('simulated');
const machine = key('machine');

const platform = Type.Object(
  {
    gitHost: text('Repositories are pushed to `<gitHost>/<owner>/<name>.git`.'),
    simulatedNodes: Type.Boolean({
      description: 'Whether nodes of the cluster are simulated: their pods run nothing.',
    }),
    podmanNode: Type.Boolean({
      description: 'Whether the cluster is one machine, which runs pods in containers of podman.',
    }),
  },
  { title: 'Platform' },
);
/** GET /api/v1/platform */
export type Platform = ReadonlyStatic<typeof platform>;

const version = Type.Object(
  { api: Type.Literal('v1'), version: text('The version of this release.') },
  { title: 'Version' },
);
/** GET /api/v1/version */
export type Version = ReadonlyStatic<typeof version>;

/** The properties of this installation that a client needs, and the description of the API. */
export const platformRoutes = {
  'GET /version': route(
    {
      group: 'Platform',
      summary: 'Returns the versions of the API and of the release.',
      path: {},
      answers: read(version, 'The versions.'),
    },
    () => (ctx) => sendRead(ctx, { api: 'v1', version: release }),
  ),
  'GET /openapi.json': route(
    {
      group: 'Platform',
      summary: 'Describes this API.',
      path: {},
      answers: read(anyFields, 'This description, in OpenAPI 3.1.'),
    },
    ({ describe }) => {
      const send = keptReads((document: Readonly<Record<string, unknown>>) => document);
      let document: Readonly<Record<string, unknown>> | null = null;
      return function readDescription(ctx, { view }) {
        document ??= describe();
        send(ctx, document, view);
      };
    },
  ),
  'GET /platform': route(
    {
      group: 'Platform',
      summary: 'Returns the address of the Git host.',
      path: {},
      answers: read(platform, 'The address.'),
    },
    ({ settings, caches }) =>
      function readPlatform(ctx) {
        const nodes = caches.list(clusterNodes);
        const simulatedNodes = nodes.some(({ metadata }) => metadata.labels?.[simulated] === 'true');
        const podmanNode = nodes.some(({ metadata }) => metadata.annotations?.[machine] === 'podman');
        sendRead(ctx, { gitHost: settings.gitUrl, simulatedNodes, podmanNode });
      },
  ),
} satisfies Resource;
