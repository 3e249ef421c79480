import { at, listAt, textAt } from '../../api/json.ts';
import type { Store } from '../../store.ts';
import { dataOf } from '../shell/environment.ts';
import type { Container, Pod } from '../shapes.ts';
import { fullName, hostOf, isLocal, pullPolicyOf } from './imageName.ts';
import { type Libpod, PodmanError, errorOf, jsonLines, unlessAbsent } from './libpod.ts';

/** An image that is on the machine. */
export interface Image {
  readonly id: string;
  /** By digest, as the status of a container has it. */
  readonly reference: string;
  /** As whom it runs; empty for root. */
  readonly user: string;
  readonly bytes: number;
}

/** How it stands with the image of a container. */
export type ImageState =
  | { readonly is: 'here'; readonly image: Image; readonly pulledMs: number | null }
  | { readonly is: 'coming' }
  | { readonly is: 'refused'; readonly reason: string; readonly message: string; readonly until: number };

interface World {
  readonly podman: Libpod;
  readonly store: Store;
  readonly now: () => number;
  /** Called with the key of a pod whose pull came to an end. */
  readonly settled: (key: string) => void;
}

interface Pull {
  readonly pods: Set<string>;
  state: 'coming' | 'here' | 'failed';
  why: string;
  failures: number;
  until: number;
  tookMs: number;
}

const firstWaitMs = 10_000;
const longestWaitMs = 300_000;

export interface Images {
  readonly see: (key: string, pod: Pod, container: Container) => Promise<ImageState>;
}

/** The images of containers: those that are here, and pulls, of which each image has one at a time. */
export function createImages({ podman, store, now, settled }: World): Images {
  const pulls = new Map<string, Pull>();

  async function found(name: string): Promise<Image | null> {
    const path = `/images/${encodeURIComponent(name)}/json`;
    const image = await unlessAbsent(podman.call({ method: 'GET', path }));
    return image === null ? null : imageOf(image, name);
  }

  async function see(key: string, pod: Pod, { image = '', imagePullPolicy }: Container): Promise<ImageState> {
    const name = fullName(image);
    const policy = pullPolicyOf(image, imagePullPolicy);
    const pull = pulls.get(name);
    const here = pull?.state === 'coming' ? null : await found(name);
    const isFresh = pull?.state === 'here' && pull.pods.has(key);
    if (here && (policy !== 'Always' || isLocal(image) || isFresh)) {
      pull?.pods.delete(key);
      return { is: 'here', image: here, pulledMs: isFresh ? pull.tookMs : null };
    }
    if (policy === 'Never')
      return refused('ErrImageNeverPull', `Container image "${image}" is not present with pull policy of Never`);
    if (isLocal(image))
      return refused('ErrImagePull', `image "${image}" is not on this machine, and its host is this machine`);
    if (pull?.state === 'failed' && now() < pull.until) return failed(image, pull);
    if (pull?.state !== 'coming') void begin(name, key, pod, pull?.failures ?? 0);
    else pull.pods.add(key);
    return { is: 'coming' };
  }

  const refused = (reason: string, message: string): ImageState => ({
    is: 'refused',
    reason,
    message,
    until: now() + firstWaitMs,
  });

  /** Told as it failed at first, then as waiting for the next try. */
  const failed = (image: string, { why, until, failures }: Pull): ImageState => ({
    is: 'refused',
    reason: failures > 1 ? 'ImagePullBackOff' : 'ErrImagePull',
    message: failures > 1 ? `Back-off pulling image "${image}": ErrImagePull: ${why}` : why,
    until,
  });

  async function begin(name: string, key: string, pod: Pod, failures: number) {
    const pull: Pull = { pods: new Set([key]), state: 'coming', why: '', failures, until: Infinity, tookMs: 0 };
    pulls.set(name, pull);
    const began = now();
    try {
      await pulled(name, credentialsOf(store, pod, hostOf(name)));
      Object.assign(pull, { state: 'here', tookMs: now() - began, failures: 0 });
    } catch (why) {
      const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
      const said = why instanceof Error ? why.message : String(why);
      Object.assign(pull, { state: 'failed', why: said, failures: failures + 1, until: now() + wait });
    }
    for (const waiting of pull.pods) settled(waiting);
  }

  async function pulled(name: string, credentials: string | null) {
    const response = await podman.stream({
      method: 'POST',
      path: '/images/pull',
      query: { reference: name, policy: 'always' },
      ...(credentials !== null && { headers: { 'X-Registry-Auth': credentials } }),
    });
    for await (const line of jsonLines(response))
      if (errorOf(line) !== '') throw new PodmanError('refused', errorOf(line));
  }

  return { see };
}

function imageOf(inspected: unknown, name: string): Image {
  const [repository = ''] = name.split(/[@]|:[^/]+$/);
  const digests = listAt(inspected, 'RepoDigests').filter((one) => typeof one === 'string');
  return {
    id: textAt(inspected, 'Id'),
    reference: digests.find((one) => one.startsWith(`${repository}@`)) ?? digests[0] ?? textAt(inspected, 'Id'),
    user: textAt(inspected, 'User') || textAt(inspected, 'Config', 'User'),
    bytes: Number(at(inspected, 'Size') ?? 0),
  };
}

/** The credentials for a registry that the pull Secrets of a pod hold, as podman wants them; null where none are. */
export function credentialsOf(store: Store, pod: Pod, host: string): string | null {
  const namespace = pod.metadata.namespace ?? '';
  for (const reference of listAt(pod, 'spec', 'imagePullSecrets')) {
    const data = dataOf(store, { is: 'Secret', namespace, name: textAt(reference, 'name') });
    const text = data?.get('.dockerconfigjson')?.toString('utf8');
    const entry = text === undefined ? null : entryFor(text, host);
    if (entry !== null) return Buffer.from(JSON.stringify(entry)).toString('base64url');
  }
  return null;
}

function entryFor(text: string, host: string): object | null {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    return null;
  }
  const auths = Object.entries((at(config, 'auths') ?? {}) as Record<string, unknown>);
  const found = auths.find(([name]) => hostIn(name) === host)?.[1];
  if (found === undefined) return null;
  const [user = '', ...rest] = Buffer.from(textAt(found, 'auth'), 'base64').toString('utf8').split(':');
  return {
    username: textAt(found, 'username') || user,
    password: textAt(found, 'password') || rest.join(':'),
    serveraddress: host,
  };
}

/** The key of an entry may be an address with a path, and docker.io has an old one of its own. */
function hostIn(name: string): string {
  const host = name.replace(/^https?:\/\//, '').split('/', 1)[0] ?? '';
  return host === 'index.docker.io' ? 'docker.io' : host;
}
