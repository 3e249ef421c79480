import type { KubeletWorld } from '../kubelet.ts';
import type { Cache } from './cache.ts';
import type { Folders } from './folders.ts';
import type { Images } from './images.ts';
import type { Libpod } from './libpod.ts';
import type { PodNetwork } from './network.ts';
import type { Programs } from './programs.ts';
import type { Volumes } from './volumes.ts';

/** What the parts of a kubelet on podman share. */
export interface PodmanWorld extends KubeletWorld {
  readonly podman: Libpod;
  /** The folder in which podman keeps images and containers. */
  readonly storage: string;
  readonly cache: Cache;
  readonly folders: Folders;
  readonly images: Images;
  readonly volumes: Volumes;
  readonly network: PodNetwork;
  readonly programs: Programs;
}
