import type { CoreBuild } from '../../crds/coreBuild.ts';
import { isoTime } from '../../rules/time.ts';
import type { Controller } from '../../runtime/lifecycle.ts';
import { apps } from '../../runtime/kinds.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { PassFailure } from '../../runtime/lead/leadership.ts';
import { isCurrent } from './build.ts';

/** The leader's in-memory knowledge of an object's passes; null on a standby, which cannot know it. */
export interface Passes {
  readonly nextLook?: string | null;
  readonly failure: PassFailure | null | undefined;
}

/** When the branch of a build is checked next, by the passes of its service; empty where no push rebuilds it. */
export function branchLookOf(operator: Operator, build: CoreBuild): { readonly branchLook?: string | null } {
  const app = operator.caches.get(apps, build.spec.app);
  const controller = operator.controllers.find(({ resource }) => resource.kind === apps.kind);
  const isFollowed =
    app?.spec.deploy.enabled === true && !app.spec.source.git?.commit && isCurrent(operator.caches, build);
  if (!isFollowed || !controller) return {};
  const { nextLook } = passesOf(operator, controller, app.metadata.name);
  return nextLook === undefined ? {} : { branchLook: nextLook };
}

export function passesOf(operator: Operator, controller: Controller, name: string): Passes {
  if (!operator.isLeading()) return { nextLook: null, failure: null };
  const dueAt = operator.nextLookAt(controller, name);
  return {
    ...(dueAt === undefined ? {} : { nextLook: isoTime(dueAt) }),
    failure: operator.failure(controller, name),
  };
}
