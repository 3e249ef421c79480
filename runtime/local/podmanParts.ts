import { systemNamespace } from '../../crds/names.ts';
import { gitScript } from '../../rules/build/gitScript.ts';
import { buildPrograms, type PodmanParts } from '../embedded/index.ts';
import { localRegistry, nodeImages } from './nodeImages.ts';

/** What a node of podman is given by this program. */
export const podmanParts: PodmanParts = {
  programs: buildPrograms({ images: nodeImages, gitScript, localRegistry, namespace: systemNamespace }),
};
