import { listAt, textAt } from '../../../api/json.ts';
import type { NodeParts, Program, ProgramRun, Programs } from '../programs.ts';
import { builderRunner } from './builderRun.ts';
import { gitRunner } from './gitRun.ts';
import type { NodeRunner } from './nodeRun.ts';
import { lineWriter } from './buildLines.ts';

/** How builds run as programs of the node. */
export interface BuildSettings {
  /** The images that name the programs. */
  readonly images: { readonly git: string; readonly builder: string };
  /** The one script that the program `git` runs. */
  readonly gitScript: string;
  /** The registry whose images stay on this machine. */
  readonly localRegistry: string;
  /** Only pods of this namespace may name the programs, because they run with the rights of the server. */
  readonly namespace: string;
}

/** What clones and builds in this process, by the images of a builder Job. */
export const buildPrograms =
  ({ images, gitScript, localRegistry, namespace }: BuildSettings) =>
  ({ podman, owner, bring }: NodeParts): Programs =>
    new Map([
      [images.git, programOf(gitRunner(gitScript), namespace)],
      [images.builder, programOf(builderRunner({ podman, localRegistry, owner, bring }), namespace)],
    ]);

const programOf =
  (runner: NodeRunner, namespace: string): Program =>
  async (run) => {
    const { pod, words, environment, log, leave, gone } = run;
    const say = lineWriter(log);
    if (pod.metadata.namespace !== namespace) {
      say(`error: this image runs in the namespace ${namespace} alone`);
      return 126;
    }
    const folders = foldersOf(run);
    const { exitCode, message } = await runner({ words, env: Object.fromEntries(environment), folders, say, gone });
    if (message !== '') leave(message);
    return exitCode;
  };

/** A part of a volume counts as not mounted: it may be a link that leads out of it. */
const foldersOf = ({ container, pathOf }: ProgramRun) =>
  listAt(container, 'volumeMounts').flatMap((mount) => {
    const path = textAt(mount, 'mountPath');
    const isPart = textAt(mount, 'subPath') !== '' || textAt(mount, 'subPathExpr') !== '';
    const from = isPart ? null : pathOf(path);
    return from === null ? [] : [{ path, from }];
  });
