import { group, systemNamespace } from '../../crds/names.ts';
import { gitScript } from '../../rules/build/gitScript.ts';
import { setTimeout as passed } from 'node:timers/promises';
import { buildPrograms, type PodmanParts, type Program } from '../embedded/index.ts';
import { localRegistry, nodeImages } from './nodeImages.ts';

const builds = buildPrograms({ images: nodeImages, gitScript, localRegistry, namespace: systemNamespace });

/**
 * Simulates the installation of a chart without fetching it: runs for the given seconds and ends with the given code.
 */
const install: Program = async ({ words: [seconds = '0', code = '0'], log, gone }) => {
  log.write('Nothing is fetched: what this chart would install is brought about by Core itself\n');
  await passed(Number(seconds) * 1_000, undefined, { signal: gone }).catch(() => {});
  return Number(code);
};

/** What this program provides to a podman node. */
export const podmanParts: PodmanParts = {
  programs: (node) => new Map([...builds(node), [nodeImages.helm, install]]),
  imageHolders: ['coreapps', 'corebuilds', 'coredeployments'].map((plural) => `${group}/${plural}`),
};
