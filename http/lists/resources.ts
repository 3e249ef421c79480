import type { RouterContext } from '@koa/router';
import type { KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import type { DeployedKind } from '../../rules/draftDeploy/facts.ts';
import { waitsForDeploy } from '../../rules/draftDeploy/waits.ts';
import { states } from '../../rules/state.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { refuse } from '../orThrow.ts';
import type { Summary } from '../routes/resource.ts';
import type { Access } from '../auth/guard.ts';
import type { ServerContext } from '../context.ts';
import type { Items } from '../openapi/paging.ts';
import type { AnswerContext } from '../response.ts';
import { byName, orderedIn, type PlaceOf } from './ordered.ts';
import { sortedFrom } from './page.ts';
import { isFound, keptByView, rowOf } from './rows.ts';
import { type ListRequest, sendList } from './send.ts';

/** The query of a list of resources. */
interface ResourceQuery {
  readonly project?: string;
  readonly environment?: string;
  readonly state?: string;
  readonly search?: string;
  readonly waiting?: boolean;
  readonly shared?: boolean;
}

/** Where an object belongs. */
interface Home {
  readonly project?: string;
  readonly environment?: string;
}

interface Placed extends KubeObject {
  readonly spec: object;
}

interface ResourceList<O> {
  readonly show: (object: O, view: View, gitUrl: string) => Summary;
  readonly placeOf?: PlaceOf<O>;
  readonly homeOf?: (object: O) => Home;
  /** What the deploy gate calls the kind, where objects of it wait for a deploy. */
  readonly gated?: DeployedKind;
}

interface ResourceRequest<O> extends ListRequest {
  readonly access: Access;
  readonly query: ListRequest['query'] & ResourceQuery;
  /** Whether the object matches the filters of this list alone, and the caller may see it. */
  readonly isIn?: (object: O) => boolean;
}

/** Responds with the objects of a kind, filtered by project, environment, state or name. */
export function resourceList<O extends Placed>(
  context: ServerContext,
  resource: Resource<O>,
  { show, placeOf = byName, homeOf = ({ spec }) => spec, gated }: ResourceList<O>,
): (ctx: AnswerContext<Items<Summary>>, request: ResourceRequest<O>) => void {
  const sorted = orderedIn(context.operator.caches.of(resource), placeOf);
  const rows = keptByView((object: O, view: View) => rowOf(show(object, view, context.settings.gitUrl)));
  return (ctx, { access, query, isIn = () => true }) => {
    const { project, environment, search, waiting, shared } = query;
    const wanted = statesIn(ctx, query.state);
    const isSelected = (object: O): boolean => {
      if (wanted === null && search === undefined) return true;
      const row = rows(object, access.view);
      return (wanted === null || wanted.has(row.state)) && isFound(row.searched, search);
    };
    sendList(ctx, context, {
      access,
      query,
      from: (after) => sortedFrom(sorted(), placeOf, after),
      placeOf,
      isIn: (object) =>
        (project === undefined || homeOf(object).project === project) &&
        (shared === undefined || !homeOf(object).project === shared) &&
        (environment === undefined || homeOf(object).environment === environment) &&
        (waiting === undefined || gated === undefined || waitsForDeploy(gated, object) === waiting) &&
        isIn(object) &&
        isSelected(object),
      text: (object) => rows(object, access.view).text,
    });
  };
}

/** The states of a query; null for all. An unknown one is refused. */
function statesIn(ctx: RouterContext, words: string | undefined): ReadonlySet<string> | null {
  if (words === undefined) return null;
  const wanted = words.toLowerCase().split(',');
  const unknown = wanted.find((word) => !states.some((state) => state === word));
  if (unknown !== undefined) return refuse(ctx, 400, `"${unknown.slice(0, 80)}" is no state: ${states.join(', ')}`);
  return new Set(wanted);
}
