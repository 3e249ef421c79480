import * as z from 'zod';
import { pathOf } from '../../apiClient/client.ts';
import { ApiFailure } from '../../apiClient/failure.ts';
import { removeVariable } from '../../apiClient/requests/removeVariable.ts';
import { call } from '../../apiClient/requests/call.ts';
import { createService, sourceOf } from '../../apiClient/requests/createService.ts';
import { rollBack } from '../../apiClient/requests/rollBack.ts';
import { setSleep } from '../../apiClient/requests/sleep.ts';
import { tool } from '../tool.ts';
import { aRead, name, named, tail } from './shapes.ts';

const app = name('service');
const ofApp = (of: string, ...rest: readonly string[]) => pathOf('apps', of, ...rest);
const level = z
  .enum(['error', 'warn', 'info', 'debug'])
  .optional()
  .describe('Only lines of this level or a graver one.');

/** Services, as they are. */
export const serviceTools = [
  tool({
    name: 'get_app',
    title: 'Read a service',
    about: 'Reads a service: its settings and its status.',
    routes: ['GET /apps/{app}'],
    does: 'reads',
    input: { name: app },
    output: aRead,
    run: ({ ask }, { name }) => ask('GET', ofApp(name)),
  }),
  tool({
    name: 'app_logs',
    title: 'Logs of a service',
    about: 'Reads the newest lines that the copies of a service wrote, the oldest first.',
    routes: ['GET /apps/{app}/logs'],
    does: 'reads',
    isForeign: true,
    isNewestLast: true,
    input: {
      app,
      tail,
      since: z.string().optional().describe('Only lines of so long ago, such as 30m or 48h, at most 168h.'),
      level,
      search: z.string().max(200).optional().describe('Only lines with this text.'),
    },
    output: { items: z.array(z.unknown()) },
    run: ({ ask }, { app: of, tail: lines, since, level: least, search }) =>
      ask('GET', ofApp(of, 'logs'), {
        query: { tail: lines === undefined ? undefined : String(lines), since, level: least, q: search },
      }),
  }),
  tool({
    name: 'get_build',
    title: 'Read a build',
    about: 'Reads a build: its phase, what it built and why it failed.',
    routes: ['GET /builds/{build}'],
    does: 'reads',
    input: { name: name('build') },
    output: {},
    run: ({ ask }, { name: of }) => ask('GET', pathOf('builds', of)),
  }),
  tool({
    name: 'build_log',
    title: 'Log of a build',
    about: 'Reads the newest lines of the log of a build.',
    routes: ['GET /builds/{build}/log'],
    does: 'reads',
    isForeign: true,
    isNewestLast: true,
    input: { name: name('build'), tail },
    output: { lines: z.array(z.string()) },
    run: async ({ text }, { name: of, tail: lines = 200 }) => {
      const log = await text(`${pathOf('builds', of)}/log`, { query: { tail: String(lines) } });
      return { lines: log === '' ? [] : log.trimEnd().split('\n') };
    },
  }),
  tool({
    name: 'deploy_app',
    title: 'Deploy a service',
    about: 'Deploys the saved settings and variables of a service.',
    routes: ['POST /apps/{app}/deploy'],
    does: 'changes',
    input: { app },
    output: named,
    run: ({ ask }, { app: of }) => ask('POST', ofApp(of, 'deploy')),
  }),
  tool({
    name: 'build_app',
    title: 'Build a service',
    about: 'Builds the current build of a service again.',
    routes: ['POST /apps/{app}/build'],
    does: 'changes',
    input: { app },
    output: {},
    run: ({ ask }, { app: of }) => ask('POST', ofApp(of, 'build')),
  }),
  tool({
    name: 'cancel_build',
    title: 'Cancel a build',
    about: 'Cancels the current build of a service.',
    routes: ['POST /apps/{app}/build/cancel'],
    does: 'changes',
    input: { app },
    output: {},
    run: ({ ask }, { app: of }) => ask('POST', ofApp(of, 'build', 'cancel')),
  }),
  tool({
    name: 'create_app',
    title: 'Create a service',
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
    run: async ({ ask }, { deploy = false, image, repository, branch, code, runtime, mode, ...rest }) => {
      const ofFunction = code === undefined ? undefined : () => Promise.resolve(code);
      const source = await sourceOf({ image, repository, branch, code: ofFunction, runtime, mode });
      if (source === null) throw new ApiFailure('say what it runs: give image, repository or code', 400);
      return createService(ask, { ...rest, source, isDeployed: deploy });
    },
  }),
  tool({
    name: 'call_function',
    title: 'Call a function',
    about: 'Calls a function and returns its response, whatever its status.',
    routes: ['POST /apps/{app}/call'],
    does: 'changes',
    isOpenWorld: true,
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
    run: ({ ask }, { app: of, ...body }) => call(ask, of, body),
  }),
  tool({
    name: 'rollback_app',
    title: 'Roll back a service',
    about: 'Deploys an earlier deployment of a service again; the one before the newest if none is named.',
    routes: ['GET /apps/{app}/deployments', 'POST /apps/{app}/rollback'],
    does: 'destroys',
    input: { app, deployment: z.string().optional().describe('An id of list_deployments.') },
    output: named,
    run: async ({ ask }, { app: of, deployment }) => (await rollBack(ask, of, deployment)).answer,
  }),
  tool({
    name: 'scale_app',
    title: 'Scale a service',
    about: 'Sets how many copies of a service run, without a deploy; those of a draft start once it is deployed.',
    routes: ['POST /apps/{app}/scale'],
    does: 'destroys',
    isIdempotent: true,
    input: { app, replicas: z.number().int().min(0).max(1_000).describe('How many copies.') },
    output: named,
    run: ({ ask }, { app: of, replicas }) => ask('POST', ofApp(of, 'scale'), { body: { replicas } }),
  }),
  tool({
    name: 'sleep_app',
    title: 'Let a service sleep',
    about: 'Lets a service sleep after so many seconds without requests, or never.',
    routes: ['PATCH /apps/{app}'],
    does: 'destroys',
    isIdempotent: true,
    input: {
      app,
      seconds: z.union([z.number().int().min(30).max(86_400), z.literal('never')]).describe('30 to 86400, or never.'),
    },
    output: named,
    run: ({ ask }, { app: of, seconds }) => setSleep(ask, of, seconds === 'never' ? null : seconds),
  }),
  tool({
    name: 'set_variable',
    title: 'Set a variable',
    about:
      'Sets a variable of a service, for its next deploy; where `appliesAtOnce` is true, its copies restart with it now. The answer never holds the value.',
    routes: ['POST /apps/{app}/config/set', 'POST /apps/{app}/secrets/set'],
    does: 'destroys',
    isIdempotent: true,
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
    title: 'Remove a variable',
    about:
      'Removes a variable of a service, plain or secret, for its next deploy; where `appliesAtOnce` is true, its copies restart without it now.',
    routes: ['POST /apps/{app}/config/delete', 'POST /apps/{app}/secrets/delete'],
    does: 'destroys',
    isIdempotent: true,
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
