import { Type } from '@sinclair/typebox';
import { Effect, Result } from 'effect';
import { key } from '../../crds/names.ts';
import { anyFields, type ReadonlyStatic, text } from '../openapi/kit.ts';
import { read } from '../openapi/schema.ts';
import { keptReads, sendRead } from '../response.ts';
import type { HttpSettings } from '../context.ts';
import { type Resource, route } from '../route.ts';
import { version } from '../version.ts';
import { clusterNodes } from '../../runtime/controllers/node/read.ts';
import { kindsRelease } from '../../runtime/kindsRelease.ts';

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
    release: Type.Object(
      {
        program: text('The tag of the release of this program; `dev` for a development build.'),
        kinds: Type.Union([Type.String(), Type.Null()], {
          description:
            'The oldest release that a stored definition of a kind names. Null where none names one, where they may ' +
            'not be read, and for a development build, which is compared with nothing.',
        }),
      },
      { description: 'The releases of the program and of the kinds.' },
    ),
  },
  { title: 'Platform' },
);
/** GET /api/v1/platform */
export type Platform = ReadonlyStatic<typeof platform>;

const versions = Type.Object(
  { api: Type.Literal('v1'), version: text('The version of this release.') },
  { title: 'Version' },
);
/** GET /api/v1/version */
export type Version = ReadonlyStatic<typeof versions>;

const programOf = ({ release = version }: Pick<HttpSettings, 'release'>): string => release;

/** How long an answer about the stored definitions counts: definitions that were applied are seen soon. */
const kindsFreshMs = 10_000;

/** The properties of this installation that a client needs, and the description of the API. */
export const platformRoutes = {
  'GET /version': route(
    {
      group: 'Platform',
      summary: 'Returns the versions of the API and of the release.',
      path: {},
      answers: read(versions, 'The versions.'),
    },
    ({ settings }) =>
      (ctx) =>
        sendRead(ctx, { api: 'v1', version: programOf(settings) }),
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
      summary: 'Returns the address of the Git host, what runs pods, and the releases of program and kinds.',
      path: {},
      answers: read(platform, 'The properties.'),
    },
    ({ settings, caches, run }) => {
      const program = programOf(settings);
      const release = Effect.runSync(Effect.cachedWithTTL(kindsRelease(program), kindsFreshMs));
      return async function readPlatform(ctx) {
        const nodes = caches.list(clusterNodes);
        const simulatedNodes = nodes.some(({ metadata }) => metadata.labels?.[simulated] === 'true');
        const podmanNode = nodes.some(({ metadata }) => metadata.annotations?.[machine] === 'podman');
        const kinds = Result.getOrElse(await run(release), () => null);
        sendRead(ctx, { gitHost: settings.gitUrl, simulatedNodes, podmanNode, release: { program, kinds } });
      };
    },
  ),
} satisfies Resource;
