import type { RouterContext } from '@koa/router';
import type { CoreBuild } from '../crds/coreBuild.ts';
import type { KubeObject } from '../crds/kind.ts';
import type { View } from '../rules/access/needs.ts';
import { builds } from '../runtime/kinds.ts';
import { answer } from './answer.ts';
import type { Done, Explanation } from './api.ts';
import { keptReads, sendJson, sendRead } from './json.ts';
import type { Serving } from './serving.ts';
import { explanationOf } from './views/explanation.ts';
import { shownIn } from './views/machine.ts';
import { branchLookOf } from './views/passes.ts';
import type { Placed } from './views/placed.ts';
import { transitionsOf } from './views/transitions.ts';

/** What the instances of a machine on a kind are asked, under the path of the machine and under their own alike. */
export interface InstanceAnswers {
  readonly explain: (ctx: RouterContext, object: KubeObject, view: View) => Promise<void>;
  readonly transitions: (ctx: RouterContext, object: KubeObject, view: View) => void;
  readonly look: (ctx: RouterContext, object: KubeObject) => Promise<void>;
}

export function instanceAnswers({ operator, run }: Serving, placed: Placed): InstanceAnswers {
  const { controller, lifecycle } = placed;
  /** What a build is moved by besides its own passes. */
  const besides = (object: KubeObject) =>
    controller.resource.kind === builds.kind ? branchLookOf(operator, object as CoreBuild) : {};
  return {
    explain: async (ctx, object, view) => {
      const { name } = object.metadata;
      const explained = answer(ctx, await run(operator.explain(controller, lifecycle, name)));
      const explanation = explanationOf(operator, placed, { name, explained, view });
      sendRead(ctx, { ...explanation, ...besides(object) } satisfies Explanation);
    },
    transitions: keptReads((object: KubeObject, view) => transitionsOf(placed, object, view)),
    look: async (ctx, { metadata: { name } }) => {
      const object = answer(ctx, await run(operator.look(controller, name)));
      const note = operator.isLeading() ? 'it is looked at now' : 'whoever leads looks at it now';
      sendJson(ctx, { name, state: shownIn(lifecycle, object), note } satisfies Done);
    },
  };
}
