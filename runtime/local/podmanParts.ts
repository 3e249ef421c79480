import { group, systemNamespace } from '../../crds/names.ts';
import { gitScript } from '../../rules/build/gitScript.ts';
import { setTimeout as passed } from 'node:timers/promises';
import { buildPrograms, type PodmanParts, type Program } from '../embedded/index.ts';
import { localRegistry, nodeImages } from './nodeImages.ts';

const builds = buildPrograms({ images: nodeImages, gitScript, localRegistry, namespace: systemNamespace });

/** Stands for the installation of a chart, of which nothing is fetched: takes so many seconds and ends with that code. */
const install: Program = async ({ words: [seconds = '0', code = '0'], log, gone }) => {
  log.write('Nothing is fetched: what this chart would install is brought about by Core itself\n');
  await passed(Number(seconds) * 1_000, undefined, { signal: gone }).catch(() => {});
  return Number(code);
};

/** What a node of podman is given by this program. */
export const podmanParts: PodmanParts = {
  programs: (node) => new Map([...builds(node), [nodeImages.helm, install]]),
  imageHolders: ['coreapps', 'corebuilds', 'coredeployments'].map((plural) => `${group}/${plural}`),
};
