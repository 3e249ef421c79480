import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CoreApp, coreApp } from '../../crds/coreApp.ts';
import { typeMeta } from '../../crds/kind.ts';
import type { FunctionSource } from '../../rules/function/runtimes.ts';
import { serviceObjects } from '../../rules/service/objects.ts';
import type { Settled } from '../../rules/service/settled.ts';
import { runnerFiles } from '../../runtime/services/runners.ts';
import { bunPath } from './bun.ts';
import { freePort } from './freePort.ts';
import { plainSettled } from './settled.ts';
import type { ServiceObject } from '../../rules/service/part.ts';

export const functionApp = (source: FunctionSource, name = 'greet'): CoreApp => ({
  ...typeMeta(coreApp),
  metadata: { name, namespace: 'core-system' },
  spec: { project: 'shop', environment: 'production', source: { function: source }, deploy: { enabled: true } },
});

/** Everything that a function has in the cluster, with a token that is known. */
export function functionObjects(app: CoreApp, settled: Partial<Settled> = {}): readonly ServiceObject[] {
  const { function: source } = app.spec.source;
  return serviceObjects(
    app,
    app.spec,
    plainSettled('image', {
      deployRevision: 'one',
      function: source ? { files: runnerFiles(source.runtime), token: 'the token' } : null,
      ...settled,
    }),
  );
}

/** The container of a pod template, as far as these specs read it. */
export interface Template {
  readonly spec: {
    readonly containers: readonly {
      readonly image: string;
      readonly command: readonly string[];
      readonly env: readonly { readonly name: string; readonly valueFrom?: object }[];
    }[];
  };
}

/** The file of this machine that stands for a program of an image. */
const programs: Readonly<Record<string, string>> = {
  node: process.execPath,
  bun: bunPath,
  python3: 'python3',
};

/** A container of a function: its files in a folder, and its commands as the pods have them. */
export async function functionPod(source: FunctionSource) {
  const objects = functionObjects(functionApp(source));
  const folder = mkdtempSync(join(tmpdir(), 'core-function-'));
  const files = objects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const port = await freePort();

  const start = (command: readonly string[], env: Readonly<Record<string, string>>) => {
    const [program = '', ...args] = command.map((word) => word.replace(/^\/function\//, `${folder}/`));
    const child = spawn(programs[program] ?? program, args, {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        said += part.toString();
      });
    const ended = once(child, 'close').then(([code]) => code as number | null);
    return { said: () => said, ended, kill: (signal: NodeJS.Signals) => child.kill(signal) };
  };
  const templateOf = (kind: ServiceObject['kind']): Template => {
    const found = objects.find((one) => one.kind === kind)?.spec as {
      readonly template?: Template;
      readonly jobTemplate?: { readonly spec: { readonly template: Template } };
    };
    const template = found.template ?? found.jobTemplate?.spec.template;
    if (!template) throw new Error(`no ${kind}`);
    return template;
  };
  const commandOf = (kind: ServiceObject['kind']) => templateOf(kind).spec.containers[0]?.command ?? [];

  return {
    url: `http://127.0.0.1:${port}`,
    serve: (token = 'the token') =>
      start(commandOf('Deployment'), { PORT: String(port), ...(token === '' ? {} : { CORE_TRIGGER_TOKEN: token }) }),
    /** The scheduled call, to where the function listens here. */
    call: (token = 'the token', path = '') =>
      start(
        commandOf('CronJob').map((word) => (word.startsWith('http://') ? `http://127.0.0.1:${port}${path}` : word)),
        { CORE_TRIGGER_TOKEN: token },
      ),
    clean: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type FunctionPod = Awaited<ReturnType<typeof functionPod>>;
