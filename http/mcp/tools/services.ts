import * as z from 'zod';
import { pathOf } from '../../apiClient/client.ts';
import { isApiFailure } from '../../apiClient/failure.ts';
import { inTurns } from '../../apiClient/inTurns.ts';
import { removeVariable } from '../../apiClient/removeVariable.ts';
import { tool } from '../tool.ts';
import { aRead, items, name, named, narrowed, tail } from './shapes.ts';

const app = name('service');
const ofApp = (of: string, ...rest: readonly string[]) => pathOf('apps', of, ...rest);
const level = z
  .enum(['error', 'warn', 'info', 'debug'])
  .optional()
  .describe('Only lines of this level or a graver one.');

/** Statuses that are read at a time. */
const atATime = 8;

/** A service may be deleted after it was listed. */
const ifThere = (status: Promise<unknown>): Promise<unknown> =>
  status.catch((error: unknown) => {
    if (isApiFailure(error) && error.status === 404) return null;
    throw error;
  });

/** Services, as they are. */
export const serviceTools = [
  tool({
    name: 'list_apps',
    about: 'Lists services with their state.',
    routes: ['GET /apps'],
    does: 'reads',
    input: narrowed,
    output: items,
    run: ({ ask }, query) => ask('GET', '/apps', { query }),
  }),
  tool({
    name: 'get_app',
    about: 'Reads a service: its settings and its status.',
    routes: ['GET /apps/{app}'],
    does: 'reads',
    input: { name: app },
    output: aRead,
    run: ({ ask }, { name }) => ask('GET', ofApp(name)),
  }),
  tool({
    name: 'app_status',
    about:
      'Returns the state of one service, or of all: whether it is ready and why not, its current build with its failure reason, and the errors of its last attempt.',
    routes: ['GET /apps', 'GET /apps/{app}/status'],
    does: 'reads',
    input: { name: app.optional(), ...narrowed },
    output: items,
    run: async ({ ask }, { name, ...query }) => {
      if (name !== undefined) return { items: [await ask('GET', ofApp(name, 'status'))] };
      const { items: all } = (await ask('GET', '/apps', { query })) as {
        readonly items: readonly { readonly name: string }[];
      };
      const found = await inTurns(all, atATime, (one) => ifThere(ask('GET', ofApp(one.name, 'status'))));
      return { items: found.filter((status) => status !== null) };
    },
  }),
  tool({
    name: 'app_logs',
    about: 'Reads the newest lines that the copies of a service wrote, the oldest first.',
    routes: ['GET /apps/{app}/logs'],
    does: 'reads',
    isForeign: true,
    input: {
      app,
      tail,
      since: z.string().optional().describe('Only lines of so long ago, such as 30m or 48h, at most 168h.'),
      level,
      search: z.string().max(200).optional().describe('Only lines with this text.'),
    },
    output: items,
    run: ({ ask }, { app: of, tail: lines, since, level: least, search }) =>
      ask('GET', ofApp(of, 'logs'), {
        query: { tail: lines === undefined ? undefined : String(lines), since, level: least, q: search },
      }),
  }),
  tool({
    name: 'list_variables',
    about: 'Lists the variables of a service by name and kind, without any value.',
    routes: ['GET /apps/{app}/variables'],
    does: 'reads',
    input: { app },
    output: items,
    run: async ({ ask }, { app: of }) => {
      const { items: all } = (await ask('GET', ofApp(of, 'variables'))) as {
        readonly items: readonly Readonly<Record<'name' | 'kind' | 'injected' | 'from', unknown>>[];
      };
      return {
        items: all.map(({ name: variable, kind, injected, from }) => ({ name: variable, kind, injected, from })),
      };
    },
  }),
  tool({
    name: 'list_deployments',
    about: 'Lists the deployments of a service, the newest first.',
    routes: ['GET /apps/{app}/deployments'],
    does: 'reads',
    input: { app },
    output: items,
    run: ({ ask }, { app: of }) => ask('GET', ofApp(of, 'deployments')),
  }),
  tool({
    name: 'list_builds',
    about: 'Lists the builds of a service, the newest first.',
    routes: ['GET /builds'],
    does: 'reads',
    input: { app },
    output: items,
    run: ({ ask }, { app: of }) => ask('GET', '/builds', { query: { app: of } }),
  }),
  tool({
    name: 'get_build',
    about: 'Reads a build: its phase, what it built and why it failed.',
    routes: ['GET /builds/{build}'],
    does: 'reads',
    input: { name: name('build') },
    output: {},
    run: ({ ask }, { name: of }) => ask('GET', pathOf('builds', of)),
  }),
  tool({
    name: 'build_log',
    about: 'Reads the newest lines of the log of a build.',
    routes: ['GET /builds/{build}/log'],
    does: 'reads',
    isForeign: true,
    input: { name: name('build'), tail },
    output: { lines: z.array(z.string()) },
    run: async ({ text }, { name: of, tail: lines = 200 }) => {
      const log = await text(`${pathOf('builds', of)}/log`, { query: { tail: String(lines) } });
      return { lines: log === '' ? [] : log.trimEnd().split('\n') };
    },
  }),
  tool({
    name: 'deploy_app',
    about: 'Deploys the saved settings and variables of a service.',
    routes: ['POST /apps/{app}/deploy'],
    does: 'changes',
    input: { app },
    output: named,
    run: ({ ask }, { app: of }) => ask('POST', ofApp(of, 'deploy')),
  }),
  tool({
    name: 'build_app',
    about: 'Builds the current build of a service again.',
    routes: ['POST /apps/{app}/build'],
    does: 'changes',
    input: { app },
    output: {},
    run: ({ ask }, { app: of }) => ask('POST', ofApp(of, 'build')),
  }),
  tool({
    name: 'cancel_build',
    about: 'Cancels the current build of a service.',
    routes: ['POST /apps/{app}/build/cancel'],
    does: 'changes',
    input: { app },
    output: {},
    run: ({ ask }, { app: of }) => ask('POST', ofApp(of, 'build', 'cancel')),
  }),
  tool({
    name: 'create_app',
    about: 'Creates a service from an image, a repository, or the code of a function; a draft, or deployed at once.',
    routes: ['POST /apps'],
    does: 'changes',
    input: {
      name: app,
      project: name('project'),
      environment: name('environment'),
      image: z.string().optional().describe('The image to run.'),
      repository: z.string().optional().describe('The repository to build, instead of an image.'),
      branch: z.string().optional().describe('The branch of the repository; main if absent.'),
      code: z.string().optional().describe('The code of a function, instead of an image.'),
      runtime: z.enum(['bun', 'node', 'python']).optional().describe('The runtime of the function; bun if absent.'),
      mode: z.enum(['http', 'event']).optional().describe('How the function is called; http if absent.'),
      port: z.number().int().min(1).max(65_535).optional().describe('The port that it listens on.'),
      deploy: z.boolean().optional().describe('Whether it is deployed at once; else it is a draft.'),
    },
    output: named,
    run: ({ ask }, { deploy = false, image, repository, branch, code, runtime, mode, ...rest }) => {
      const source =
        image !== undefined
          ? { source: 'image', image }
          : repository !== undefined
            ? { source: 'git', repository, branch: branch ?? 'main' }
            : { source: 'function', code, runtime: runtime ?? 'bun', mode: mode ?? 'http' };
      return ask('POST', '/apps', { body: { ...rest, ...source, ...(deploy ? { deploy } : { draft: true }) } });
    },
  }),
  tool({
    name: 'call_function',
    about: 'Calls a function and returns its response, whatever its status.',
    routes: ['POST /apps/{app}/call'],
    does: 'changes',
    isForeign: true,
    input: {
      app,
      method: z
        .enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        .optional()
        .describe('The method; POST if absent.'),
      path: z.string().optional().describe('The path with its query; / if absent.'),
      body: z.string().optional().describe('The body.'),
      headers: z.record(z.string(), z.string()).optional().describe('Headers by name.'),
    },
    output: { status: z.number() },
    // A function may take 30 s, to which the way comes.
    run: ({ ask }, { app: of, ...body }) => ask('POST', ofApp(of, 'call'), { body, timeoutMs: 40_000 }),
  }),
  tool({
    name: 'rollback_app',
    about: 'Deploys an earlier deployment of a service again; the one before the newest if none is named.',
    routes: ['GET /apps/{app}/deployments', 'POST /apps/{app}/rollback'],
    does: 'destroys',
    input: { app, deployment: z.string().optional().describe('An id of list_deployments.') },
    output: named,
    run: async ({ ask }, { app: of, deployment }) => {
      const { items: all } = (await ask('GET', ofApp(of, 'deployments'))) as {
        readonly items: readonly { readonly id: string }[];
      };
      // Without an earlier one the API says that there is none.
      return ask('POST', ofApp(of, 'rollback'), { body: { revision: deployment ?? all[1]?.id ?? '' } });
    },
  }),
  tool({
    name: 'scale_app',
    about: 'Sets how many copies of a service run, without a deploy; those of a draft start once it is deployed.',
    routes: ['POST /apps/{app}/scale'],
    does: 'destroys',
    input: { app, replicas: z.number().int().min(0).max(1_000).describe('How many copies.') },
    output: named,
    run: ({ ask }, { app: of, replicas }) => ask('POST', ofApp(of, 'scale'), { body: { replicas } }),
  }),
  tool({
    name: 'sleep_app',
    about: 'Lets a service sleep after so many seconds without requests, or never.',
    routes: ['PATCH /apps/{app}'],
    does: 'destroys',
    input: {
      app,
      seconds: z.union([z.number().int().min(30).max(86_400), z.literal('never')]).describe('30 to 86400, or never.'),
    },
    output: named,
    run: ({ ask }, { app: of, seconds }) =>
      ask('PATCH', ofApp(of), {
        body: seconds === 'never' ? { scaleToZero: 'off' } : { scaleToZero: 'on', idleSeconds: seconds },
      }),
  }),
  tool({
    name: 'set_variable',
    about:
      'Sets a variable of a service, for its next deploy; where `appliesAtOnce` is true, its copies restart with it now. The answer never holds the value.',
    routes: ['POST /apps/{app}/config/set', 'POST /apps/{app}/secrets/set'],
    does: 'destroys',
    input: {
      app,
      key: z.string().describe('Its name.'),
      value: z.string().describe('Its value.'),
      secret: z.boolean().optional().describe('Whether it is stored as a secret, which nobody can read back.'),
    },
    output: { key: z.string() },
    run: ({ ask }, { app: of, key, value, secret = false }) =>
      ask('POST', ofApp(of, secret ? 'secrets' : 'config', 'set'), { body: { key, value } }),
  }),
  tool({
    name: 'unset_variable',
    about:
      'Removes a variable of a service, plain or secret, for its next deploy; where `appliesAtOnce` is true, its copies restart without it now.',
    routes: ['POST /apps/{app}/config/delete', 'POST /apps/{app}/secrets/delete'],
    does: 'destroys',
    input: {
      app,
      key: z.string().describe('Its name.'),
      secret: z
        .boolean()
        .optional()
        .describe('Whether a secret alone is removed, or a plain variable alone; whichever has the name if absent.'),
    },
    output: { key: z.string(), removed: z.boolean(), kinds: z.array(z.enum(['config', 'secret'])) },
    run: async ({ ask }, { app: of, key, secret }) => {
      const kind = secret === undefined ? undefined : secret ? 'secret' : 'config';
      const { kinds, ...when } = await removeVariable(ask, { app: of, key, kind });
      return { name: of, key, removed: kinds.length > 0, kinds, ...when };
    },
  }),
];
