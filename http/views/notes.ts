import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { CoreProject } from '../../crds/coreProject.ts';
import type { KubeObject } from '../../crds/kind.ts';
import type { KindName } from '../../crds/kinds.ts';
import type { View } from '../../rules/access/needs.ts';
import { appOfActive, isActive } from '../../rules/activeDeployment/name.ts';
import { standingRefusal } from '../../rules/pullRequestEnvironment/standing.ts';
import { textFor } from '../../rules/words.ts';
import { projectSeen } from '../../runtime/controllers/project/read.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { Note } from '../routes/machines/explanation.ts';
import { isCurrent } from './build.ts';
import { worstCauseView } from './cause.ts';
import { passesOf } from './passes.ts';

type Noting = (operator: Operator, object: KubeObject, view: View) => readonly Note[];

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

/** Why the service of the record of what runs is red or waits. */
function serviceNotes({ caches }: Operator, { metadata: { name } }: KubeObject, view: View): readonly Note[] {
  const app = isActive(name) ? caches.get(apps, appOfActive(name)) : undefined;
  const cause = app && worstCauseView(apps.kind, app, { view, gitUrl: '' });
  return cause ? [{ name: 'cause', text: `The service: ${cause.message}`, until: null }] : [];
}

/** Why no further pull request of a project gets an environment. */
function pullRequestNotes({ caches }: Operator, project: CoreProject, view: View): readonly Note[] {
  const why = standingRefusal(projectSeen(project, caches, ''));
  const text = why && textFor(why, view);
  return text ? [{ name: 'pull requests', text: `None gets an environment now: ${text}`, until: null }] : [];
}

const noted: Readonly<Partial<Record<KindName, Noting>>> = {
  CoreBuild: (operator, object) => branchNotes(operator, object as CoreBuild),
  CoreDeployment: serviceNotes,
  CoreProject: (operator, object, view) => pullRequestNotes(operator, object as CoreProject, view),
};

/** What is to be known of an object besides the decision about it, such as what else moves it. */
export const notesOf = (operator: Operator, kind: string, object: KubeObject, view: View): readonly Note[] =>
  noted[kind as KindName]?.(operator, object, view) ?? [];
