import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { KubeObject } from '../../crds/kind.ts';
import type { KindName } from '../../crds/kinds.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { Note } from '../routes/machines/explanation.ts';
import { isCurrent } from './build.ts';
import { passesOf } from './passes.ts';

type Noting = (operator: Operator, object: KubeObject) => readonly Note[];

/** When the passes of a service next check the branch of its build; absent where no push builds it. */
function branchNotes(operator: Operator, build: CoreBuild): readonly Note[] {
  const app = operator.caches.get(apps, build.spec.app);
  const controller = operator.controllers.find(({ resource }) => resource.kind === apps.kind);
  const isFollowed =
    app?.spec.deploy.enabled === true && !app.spec.source.git?.commit && isCurrent(operator.caches, build);
  if (!isFollowed || !controller) return [];
  const { nextCheckAt } = passesOf(operator, controller, app.metadata.name);
  if (nextCheckAt === undefined) return [];
  const text =
    nextCheckAt === null ? 'Only the leader knows when the branch is checked next' : 'Next check of the branch';
  return [{ name: 'branch', text, until: nextCheckAt }];
}

const noted: Readonly<Partial<Record<KindName, Noting>>> = {
  CoreBuild: (operator, object) => branchNotes(operator, object as CoreBuild),
};

/** What is to be known of an object besides the decision about it, such as what else moves it. */
export const notesOf = (operator: Operator, kind: string, object: KubeObject): readonly Note[] =>
  noted[kind as KindName]?.(operator, object) ?? [];
