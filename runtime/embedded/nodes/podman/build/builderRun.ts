import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { textAt } from '../../../api/json.ts';
import { type Libpod, errorOf, jsonLines } from '../libpod.ts';
import type { OwnImages } from '../ownImages.ts';
import { type BuilderArguments, builderArguments } from './builderArguments.ts';
import { type BuildContext, archiveOf, buildContext } from './buildContext.ts';
import { BuildFailure } from './buildFailure.ts';
import { type BuildGroup, buildGroup } from './buildGroup.ts';
import { lineSplitter, shortened } from './buildLines.ts';
import { type NodeRun, type NodeRunner, boundPath, killedCode } from './nodeRun.ts';
import {
  type RegistryLogin,
  isLoopback,
  loginHeader,
  loginsHeader,
  registryLogins,
  registryOf,
} from './registryLogins.ts';

/** Where images are built. */
export interface BuilderWorld {
  readonly podman: Libpod;
  /** The registry whose images stay on this machine. */
  readonly localRegistry: string;
  /** Tells builds of this server from those of others. */
  readonly owner: string;
  /** Notes the image that comes, so that it is removed once nobody names it. */
  readonly bring: OwnImages['bring'];
}

type Logins = Readonly<Record<string, RegistryLogin>>;

const loginsPath = '/kaniko/.docker/config.json';
const killEachMs = 200;
const pushWithinMs = 30 * 60_000;
/** A network of the build's own, as podman's numbers say it. */
const ownNetwork = { networkmode: '2', nsoptions: JSON.stringify([{ Name: 'network', Host: false, Path: '' }]) };

/** Builds by podman what the arguments of kaniko ask for; the message is the digest of the image. */
export const builderRunner =
  (world: BuilderWorld): NodeRunner =>
  async (run) => {
    try {
      const digest = await built(world, run, builderArguments(run.words));
      return { exitCode: 0, message: digest };
    } catch (why) {
      if (run.gone.aborted) return { exitCode: killedCode, message: '' };
      run.say(`error: ${shortened(why instanceof Error ? why.message : String(why))}`);
      return { exitCode: 1, message: '' };
    }
  };

async function built(world: BuilderWorld, run: NodeRun, asked: BuilderArguments): Promise<string> {
  const logins = await loginsOf(run);
  const context = await contextOf(run, asked);
  try {
    const group = await buildGroup(world.owner, randomBytes(6).toString('hex'));
    const stopKilling = killWhenGone(group, run.gone);
    try {
      const id = await world.bring(asked.destination, () => imageOf(world, run, { asked, context, group, logins }));
      run.gone.throwIfAborted();
      const isLocal = registryOf(asked.destination) === world.localRegistry;
      const digest = isLocal
        ? await localDigest(world, id)
        : await pushed(world, run, { id, destination: asked.destination, logins });
      run.say(`Pushed ${asked.destination}@${digest}`);
      return digest;
    } finally {
      stopKilling();
      await group.remove();
    }
  } finally {
    await context.remove();
  }
}

/** Podman begins a step that comes after the killed one, so killing goes on until it gives up. */
function killWhenGone(group: BuildGroup, gone: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const kill = () => {
    void group.kill();
    timer = setTimeout(kill, killEachMs);
  };
  gone.addEventListener('abort', kill, { once: true });
  if (gone.aborted) kill();
  return () => {
    clearTimeout(timer);
    gone.removeEventListener('abort', kill);
  };
}

async function loginsOf({ folders }: NodeRun): Promise<Logins> {
  const found = boundPath(folders, loginsPath);
  return found ? registryLogins(await readFile(found.path, 'utf8').catch(() => '')) : {};
}

async function contextOf({ folders }: NodeRun, { context, recipe }: BuilderArguments): Promise<BuildContext> {
  const folder = boundPath(folders, context);
  const file = boundPath(folders, recipe);
  if (!folder || !file || folder.folder !== file.folder)
    throw new BuildFailure(`no volume with the source is mounted at ${context}`);
  const shown = { folder: context, recipe };
  return buildContext({ root: folder.folder, folder: folder.path, recipe: file.path, shown });
}

interface Wanted {
  readonly asked: BuilderArguments;
  readonly context: BuildContext;
  readonly group: BuildGroup;
  readonly logins: Logins;
}

/** The image's id: the last line that podman tells. */
async function imageOf({ podman }: BuilderWorld, run: NodeRun, wanted: Wanted): Promise<string> {
  const archive = archiveOf(wanted.context);
  const broken = new AbortController();
  archive.once('error', (why) => broken.abort(why));
  try {
    const told = await podman.stream({ ...buildRequest(wanted), body: archive, gone: broken.signal });
    return await idIn(told, run.say);
  } catch (why) {
    throw broken.signal.aborted ? broken.signal.reason : why;
  }
}

const buildRequest = ({ asked, context, group, logins }: Wanted) =>
  ({
    method: 'POST',
    path: '/build',
    query: {
      dockerfile: context.recipe,
      t: asked.destination,
      layers: `${asked.cache}`,
      nocache: `${!asked.cache}`,
      // Without it podman does not find the layers that it made itself.
      outputformat: 'application/vnd.oci.image.manifest.v1+json',
      buildargs: JSON.stringify(asked.buildArgs),
      cgroupparent: group.parent,
      rm: 'true',
      forcerm: 'true',
      ...ownNetwork,
    },
    headers: { 'Content-Type': 'application/x-tar', ...loginsHeader(logins) },
  }) as const;

async function idIn(told: AsyncIterable<unknown>, say: (line: string) => void): Promise<string> {
  let last = '';
  const lines = lineSplitter((line) => {
    last = line;
    say(line);
  });
  for await (const one of jsonLines(told)) {
    lines.take(textAt(one, 'stream'));
    refuseError(one);
  }
  lines.end();
  if (!/^[0-9a-f]{64}$/.test(last)) throw new BuildFailure('podman ended the build without an image');
  return last;
}

function refuseError(told: unknown): void {
  const why = errorOf(told);
  if (why !== '') throw new BuildFailure(why);
}

async function localDigest({ podman }: BuilderWorld, id: string): Promise<string> {
  const digest = textAt(await podman.call({ method: 'GET', path: `/images/${id}/json` }), 'Digest');
  if (digest === '') throw new BuildFailure(`the image ${id} has no digest`);
  return digest;
}

interface Push {
  readonly id: string;
  readonly destination: string;
  readonly logins: Logins;
}

/** Compressing the layers for the registry makes another manifest, so the digest is the one that the push tells. */
async function pushed({ podman }: BuilderWorld, run: NodeRun, { id, destination, logins }: Push): Promise<string> {
  const registry = registryOf(destination);
  run.say(`Pushing ${destination}`);
  const told = await podman.stream({
    method: 'POST',
    // Docker's form of the route tells the digest, podman's own does not.
    docker: true,
    path: `/images/${id}/push`,
    query: { destination, tlsVerify: `${!isLoopback(registry)}` },
    headers: loginHeader(logins[registry]),
    gone: AbortSignal.any([run.gone, AbortSignal.timeout(pushWithinMs)]),
    // The registry may be slow to begin.
    silentMs: pushWithinMs,
  });
  let digest: string | undefined;
  for await (const one of jsonLines(told)) {
    refuseError(one);
    digest = /digest: (sha256:[0-9a-f]{64})/.exec(textAt(one, 'status'))?.[1] ?? digest;
  }
  if (digest === undefined) throw new BuildFailure(`${registry} took the image without a digest`);
  return digest;
}
