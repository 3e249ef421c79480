import { isObject } from '../../../rules/json.ts';
import type { RouterContext } from '@koa/router';
import type { CoreApp } from '../../../crds/coreApp.ts';
import type { SpecPatch } from '../../../rules/draftDeploy/facts.ts';
import { sourceOf } from '../../../rules/service/effective.ts';
import { merged } from '../../../runtime/step/mergePatch.ts';
import { refuse } from '../../orThrow.ts';
import type { StatusItem } from './shapes.ts';
import type { Access } from '../../auth/guard.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { Static } from '@sinclair/typebox';
import type { appChanged } from './shapes.ts';
import type { ServerContext } from '../../context.ts';
import { statusItem } from '../../views/appStatus.ts';
import { commanded } from './command.ts';
import { unfit } from './fits.ts';
import { requestedHost } from './host.ts';
import { serviceIn } from './serviceIn.ts';

type Fields = Static<typeof appChanged>;
type Name = keyof Fields;

/** The only settings that a project token may change. */
const ofTokens: readonly Name[] = ['scaleToZero', 'idleSeconds'];
const ofSource: Readonly<Partial<Record<Name, ReturnType<typeof sourceOf>>>> = {
  image: 'image',
  branch: 'git',
  commit: 'git',
  context: 'git',
  buildfile: 'git',
  waitForCI: 'git',
  watchPaths: 'git',
  code: 'function',
  runtime: 'function',
  handler: 'function',
};

const orGone = <T>(value: T | ''): T | null => (value === '' ? null : value);

/** The path of each field in the spec. */
const patches: { readonly [N in Name]-?: (value: NonNullable<Fields[N]> | null) => SpecPatch } = {
  displayName: () => ({}),
  image: (image) => ({ source: { image } }),
  branch: (branch) => ({ source: { git: { branch: orGone(branch ?? '') } } }),
  commit: (commit) => ({ source: { git: { commit: orGone(commit ?? '') } } }),
  context: (context) => ({ source: { git: { context: orGone(context ?? '') } } }),
  buildfile: (buildfile) => ({ source: { git: { buildfile: orGone(buildfile ?? '') } } }),
  waitForCI: (waitForCI) => ({ source: { git: { waitForCI } } }),
  watchPaths: (watchPaths) => ({ source: { git: { watchPaths } } }),
  code: (code) => ({ source: { function: { code } } }),
  runtime: (runtime) => ({ source: { function: { runtime } } }),
  handler: (handler) => ({ source: { function: { handler } } }),
  port: (port) => ({ port }),
  replicas: (replicas) => ({ replicas }),
  resources: (resources) => ({ resources }),
  autoscaling: (autoscaling) => ({ autoscaling }),
  host: (host) => ({ networking: { host: orGone(host ?? '') } }),
  tls: (tls) => ({ networking: { tls } }),
  sharedVariableRefs: (sharedVariableRefs) => ({ sharedVariableRefs }),
  connectionRefs: (connectionRefs) => ({ connectionRefs }),
  registry: (repository) => ({ build: { registry: { repository: orGone(repository ?? '') } } }),
  cache: (cache) => ({ build: { cache } }),
  logStore: (name) => ({ build: { logStoreRef: (name ?? '') === '' ? null : { name } } }),
  maxReplicas: (maxReplicas) => ({ scaleToZero: { maxReplicas } }),
  scaleToZero: (state) => ({ scaleToZero: { enabled: state === 'on' } }),
  idleSeconds: (idleSeconds) => ({ scaleToZero: { idleSeconds } }),
};

const patchOf = (fields: Fields): SpecPatch =>
  (Object.keys(fields) as readonly Name[]).reduce<SpecPatch>(
    (patch, name) => merge(patch, (patches[name] as (value: unknown) => SpecPatch)(fields[name] ?? null)),
    {},
  );

/** Two patches as one, with the nulls of both. */
function merge(one: SpecPatch, other: SpecPatch): SpecPatch {
  const entries = Object.entries(other).map(([name, value]): readonly [string, unknown] => {
    const before = one[name];
    return [name, isObject(before) && isObject(value) ? merge(before, value) : value];
  });
  return { ...one, ...Object.fromEntries(entries) };
}

/** Settings of sleep are saved for a service that stays awake too, and say that it does. */
const complete = ({ spec: { scaleToZero } }: CoreApp, patch: SpecPatch): SpecPatch =>
  patch['scaleToZero'] === undefined || scaleToZero !== undefined
    ? patch
    : merge({ scaleToZero: { enabled: false } }, patch);

/** Saves settings of a service; what waits for a deploy, and what applies at once, the machine decides. */
export const patchService =
  (context: ServerContext) =>
  async (ctx: AnswerContext<StatusItem>, access: Access, { body }: { readonly body: Fields }): Promise<void> => {
    const app = serviceIn(ctx, context, access);
    const names = Object.keys(body) as readonly Name[];
    if (access.scope !== null && names.some((name) => !ofTokens.includes(name)))
      return refuse(ctx, 403, 'a project token changes no settings');
    const spec = complete(app, patchOf(sound(ctx, context, { app, body })));
    const { displayName } = body;
    const asked = { is: 'save', spec, ...(displayName === undefined ? {} : { displayName }) } as const;
    const { name } = app.metadata;
    const saved = await commanded(ctx, context, access, { name, machine: 'draftDeploy', asked });
    return sendJson(
      ctx,
      statusItem(saved, context.operator.caches, { view: access.view, gitUrl: context.settings.gitUrl }),
    );
  };

/** The fields, with the host as it is stored; what cannot work is refused. */
function sound(
  ctx: RouterContext,
  context: ServerContext,
  { app, body }: { readonly app: CoreApp; readonly body: Fields },
): Fields {
  const source = sourceOf(app.spec);
  const strange = (Object.keys(body) as readonly Name[]).find((name) => (ofSource[name] ?? source) !== source);
  if (strange !== undefined) return refuse(ctx, 400, `${strange} is no setting of a service with the source ${source}`);
  const fields =
    body.host === undefined ? body : { ...body, host: requestedHost(ctx, context, { app, host: body.host }) };
  const message = unfit(merged(app, { spec: patchOf(fields) }));
  return message === null ? fields : refuse(ctx, 400, message);
}
