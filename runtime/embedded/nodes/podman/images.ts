import { at, listAt, textAt } from '../../api/json.ts';
import { type RegistryLogin, isLoopback, loginHeader, registryLogins } from './build/registryLogins.ts';
import type { Store } from '../../store.ts';
import { dataOf } from '../shell/environment.ts';
import type { Container, Pod } from '../shapes.ts';
import { faultOfName, fullName, hostOf, isLocal, pullPolicyOf } from './imageName.ts';
import { type Libpod, PodmanError, errorOf, jsonLines, unlessAbsent } from './libpod.ts';
import type { OwnImages } from './ownImages.ts';

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
  | { readonly is: 'refused'; readonly reason: string; readonly message: string; readonly until: number | null };

interface World {
  readonly podman: Libpod;
  readonly store: Store;
  readonly now: () => number;
  readonly bring: OwnImages['bring'];
  /** How long a registry may take to say what an image is made of. */
  readonly answerWithinMs?: number;
  /** Called with the key of a pod whose pull came to an end. */
  readonly settled: (key: string) => void;
}

interface Pull {
  /** The keys of the pods that wait for it, and then of those that have not seen how it came out. */
  readonly pods: Set<string>;
  state: 'coming' | 'here' | 'failed';
  why: string;
  failures: number;
  until: number;
  tookMs: number;
}

const firstWaitMs = 10_000;
const longestWaitMs = 300_000;
const usualAnswerWithinMs = 60_000;
/** As long as a large layer may take, of which podman says nothing meanwhile. */
const longestLayerMs = 30 * 60_000;

export interface Images {
  readonly see: (key: string, pod: Pod, container: Container) => Promise<ImageState>;
}

/** What is pulled, and as whom. */
interface Wanted {
  readonly name: string;
  readonly login: RegistryLogin | null;
}

/**
 * The images of containers: those that are here, and pulls, of which each image has one at a time for each login. Whoever has
 * the wrong login, or none, so keeps nobody waiting who has the right one.
 */
export function createImages(world: World): Images {
  const { podman, store, now, bring, settled, answerWithinMs = usualAnswerWithinMs } = world;
  const pulls = new Map<string, Pull>();
  const keyOfPull = ({ name, login }: Wanted) => JSON.stringify([name, login]);

  async function found(name: string): Promise<Image | null> {
    const path = `/images/${encodeURIComponent(name)}/json`;
    const image = await unlessAbsent(podman.call({ method: 'GET', path }));
    return image === null ? null : imageOf(image, name);
  }

  async function see(key: string, pod: Pod, container: Container): Promise<ImageState> {
    const { image = '' } = container;
    const fault = faultOfName(image);
    if (fault !== null) return misnamed(image, fault);
    const name = fullName(image);
    const wanted = { name, login: loginFor(store, pod, hostOf(name)) };
    const pull = pulls.get(keyOfPull(wanted));
    const policy = isLocal(image) ? 'Local' : pullPolicyOf(image, container.imagePullPolicy);
    const here = pull?.state === 'coming' ? null : await found(name);
    const isFresh = pull?.state === 'here' && pull.pods.delete(key);
    if (here && (policy !== 'Always' || isFresh))
      return { is: 'here', image: here, pulledMs: isFresh ? pull.tookMs : null };
    if (policy === 'Never')
      return refused('ErrImageNeverPull', `Container image "${image}" is not present with pull policy of Never`);
    if (policy === 'Local')
      return refused('ErrImagePull', `image "${image}" is not on this machine, and its host is this machine`);
    return pulling(key, image, wanted);
  }

  /** Joins the pull of an image, or begins one where none failed a moment ago. */
  function pulling(key: string, image: string, wanted: Wanted): ImageState {
    const pull = pulls.get(keyOfPull(wanted));
    if (pull?.state === 'failed' && now() < pull.until) return failed(image, pull);
    if (pull?.state === 'coming') pull.pods.add(key);
    else void begin(key, wanted, pull?.failures ?? 0);
    return { is: 'coming' };
  }

  const refused = (reason: string, message: string): ImageState => ({
    is: 'refused',
    reason,
    message,
    until: now() + firstWaitMs,
  });

  /** Only another name helps. */
  const misnamed = (image: string, fault: string): ImageState => ({
    is: 'refused',
    reason: 'InvalidImageName',
    message: `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${fault}`,
    until: null,
  });

  /** Told as it failed at first, then as waiting for the next try. */
  const failed = (image: string, { why, until, failures }: Pull): ImageState => ({
    is: 'refused',
    reason: failures > 1 ? 'ImagePullBackOff' : 'ErrImagePull',
    message: failures > 1 ? `Back-off pulling image "${image}": ErrImagePull: ${why}` : why,
    until,
  });

  async function begin(key: string, wanted: Wanted, failures: number) {
    const { name } = wanted;
    const pull: Pull = { pods: new Set([key]), state: 'coming', why: '', failures, until: Infinity, tookMs: 0 };
    pulls.set(keyOfPull(wanted), pull);
    const began = now();
    try {
      await bring(name, async () => {
        await pulled(wanted);
        return (await found(name))?.id ?? '';
      });
      Object.assign(pull, { state: 'here', tookMs: now() - began, failures: 0 });
    } catch (why) {
      const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
      const said = why instanceof Error ? why.message : String(why);
      Object.assign(pull, { state: 'failed', why: said, failures: failures + 1, until: now() + wait });
    }
    for (const waiting of pull.pods) settled(waiting);
  }

  async function pulled({ name, login }: Wanted) {
    const silence = new AbortController();
    const patience = (ms: number) => setTimeout(() => silence.abort(), ms).unref();
    let timer = patience(answerWithinMs);
    let lines = 0;
    try {
      const response = await podman.stream({
        method: 'POST',
        path: '/images/pull',
        query: { reference: name, policy: 'always', tlsVerify: `${!isLoopback(hostOf(name))}` },
        gone: silence.signal,
        ...(login && { headers: loginHeader(login) }),
      });
      for await (const line of jsonLines(response)) {
        if (errorOf(line) !== '') throw new PodmanError('refused', errorOf(line));
        // The first line is podman's own: it tries.
        lines += 1;
        if (lines < 2) continue;
        clearTimeout(timer);
        timer = patience(longestLayerMs);
      }
    } catch (why) {
      if (!silence.signal.aborted) throw why;
      const seconds = (lines < 2 ? answerWithinMs : longestLayerMs) / 1_000;
      throw new PodmanError('refused', `the registry ${hostOf(name)} said nothing for ${seconds} seconds`);
    } finally {
      clearTimeout(timer);
    }
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

/** The login for a registry that the pull Secrets of a pod hold; null where none is. */
export function loginFor(store: Store, pod: Pod, host: string): RegistryLogin | null {
  const namespace = pod.metadata.namespace ?? '';
  for (const reference of listAt(pod, 'spec', 'imagePullSecrets')) {
    const data = dataOf(store, { is: 'Secret', namespace, name: textAt(reference, 'name') });
    const logins = registryLogins(data?.get('.dockerconfigjson')?.toString('utf8') ?? '');
    const login = logins[host];
    if (login) return login;
  }
  return null;
}
