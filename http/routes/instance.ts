import type { RouterContext } from '@koa/router';
import type { KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { isConcerned, knowsEnd } from '../../runtime/step/standing.ts';
import { orThrow } from '../orThrow.ts';
import { type FoldedTransitions, foldedTransitions, foldQuery, type Transitions } from './machines/shapes.ts';
import { type Done, done } from './resource.ts';
import { type AnswerContext, keptReads, sendJson, sendRead } from '../response.ts';
import type { ServerContext } from '../context.ts';
import { causeViews, chainView } from '../views/cause.ts';
import { explanationOf } from '../views/explanation.ts';
import { shownIn } from '../views/machine.ts';
import { notesOf } from '../views/notes.ts';
import { passesOf } from '../views/passes.ts';
import { instanceName, type Placed, placedMachines } from '../views/placed.ts';
import { folded, transitionsOf } from '../views/transitions.ts';
import type { TSchema } from '@sinclair/typebox';
import { read, type RouteSchema, uncached } from '../openapi/schema.ts';
import type { Access } from '../auth/guard.ts';
import { type Handler, perContext, type Route, route, type RouteContext } from '../route.ts';
import type { Group } from './groups.ts';
import { type Explanation, type Explanations, explanations } from './machines/explanation.ts';

/** The responses about the instances of a machine on a kind. */
export interface InstanceAnswers {
  readonly explain: (ctx: AnswerContext<Explanation>, object: KubeObject, view: View) => Promise<void>;
  readonly transitions: (
    ctx: AnswerContext<FoldedTransitions>,
    object: KubeObject,
    view: View,
    isFolded?: boolean,
  ) => void;
  readonly reconcile: (ctx: AnswerContext<Done>, object: KubeObject) => Promise<void>;
}

/** The same about an object of all its machines at once, with its causes. */
interface ObjectAnswers extends Omit<InstanceAnswers, 'explain'> {
  readonly explain: (ctx: AnswerContext<Explanations>, object: KubeObject, view: View) => Promise<void>;
}

/** Why an object is in its state of one of its machines. */
export function explaining({ operator, run }: ServerContext, placed: Placed) {
  const { controller, lifecycle } = placed;
  return async (ctx: RouterContext, object: KubeObject, view: View): Promise<Explanation> => {
    const { name } = object.metadata;
    const explained = orThrow(ctx, await run(operator.explain(controller, lifecycle, name)));
    const passes = passesOf(operator, controller, name);
    const notes = notesOf(operator, controller.resource.kind, object, view);
    return explanationOf(placed, {
      name: instanceName(placed, name),
      explained,
      passes,
      notes,
      isLeading: operator.isLeading(),
      view,
    });
  };
}

/** The causes of an object, and the way to the root of the worst. */
export function causesAnswer(
  { caches, settings: { gitUrl } }: ServerContext,
  kind: string,
  object: KubeObject,
  view: View,
): Pick<Explanations, 'causes' | 'chain'> {
  return {
    causes: causeViews(kind, object, { view, gitUrl }),
    chain: chainView(kind, object, { reader: caches, view, gitUrl }),
  };
}

/** A requested pass covers the object with all its machines; the response has the state in the requested one. */
const requestReconcile =
  ({ operator, run }: ServerContext, { controller, lifecycle }: Placed): InstanceAnswers['reconcile'] =>
  async (ctx, { metadata: { name } }) => {
    const object = orThrow(ctx, await run(operator.requestPass(controller, name)));
    const note = operator.isLeading() ? 'It is being checked now.' : 'The leader checks it now.';
    sendJson(ctx, { name: instanceName({ lifecycle }, name), state: shownIn(lifecycle, object), note } satisfies Done);
  };

/** Responds with moves, as they are or folded. */
function sendMoves(movesOf: (object: KubeObject, view: View) => Transitions): InstanceAnswers['transitions'] {
  const [send, sendFolded] = [
    keptReads<KubeObject, FoldedTransitions>(movesOf),
    keptReads<KubeObject, FoldedTransitions>((object, view) => folded(movesOf(object, view))),
  ];
  return (ctx, object, view, isFolded = false) => (isFolded ? sendFolded : send)(ctx, object, view);
}

export function instanceAnswers(context: ServerContext, placed: Placed): InstanceAnswers {
  const explain = explaining(context, placed);
  return {
    explain: async (ctx, object, view) => sendRead(ctx, await explain(ctx, object, view)),
    transitions: sendMoves((object, view) => transitionsOf(placed, object, view)),
    reconcile: requestReconcile(context, placed),
  };
}

/**
 * The same under an object's own path: for each of its machines, in the order they step; the last one that ends with
 * the object answers for it, or the last one where none does.
 */
function objectAnswers(context: ServerContext, kind: string): ObjectAnswers {
  const { operator, settings } = context;
  const machines = placedMachines(operator, settings.machines).filter(
    ({ controller, entries }) => controller.resource.kind === kind && entries === undefined,
  );
  const main = machines.findLast(({ lifecycle }) => knowsEnd(lifecycle)) ?? machines.at(-1);
  if (!main) throw new Error(`nobody runs a machine of ${kind}`);
  const explains = machines.map((placed) => ({ placed, explain: explaining(context, placed) }));
  const allMoves = (object: KubeObject, view: View): Transitions => ({
    name: object.metadata.name,
    items: machines
      .flatMap((placed) => transitionsOf(placed, object, view).items)
      .toSorted((one, other) => one.seq - other.seq),
  });
  return {
    explain: async (ctx, object, view) => {
      const own = explains.filter(({ placed: { lifecycle } }) => isConcerned(lifecycle, object));
      const items = await Promise.all(own.map(({ explain }) => explain(ctx, object, view)));
      sendRead(ctx, { ...causesAnswer(context, kind, object, view), items } satisfies Explanations);
    },
    transitions: sendMoves(allMoves),
    reconcile: requestReconcile(context, main),
  };
}

type Reads<At extends string> = `GET ${At}/explain` | `GET ${At}/transitions`;
type ReconcileId<At extends string> = `POST ${At}/reconcile` | `POST ${At}/look`;
type InstanceRoutes<At extends string, Param extends string> = Readonly<
  Record<Reads<At> | ReconcileId<At>, Route<Param>>
>;

interface Instance<Param extends string> {
  readonly group: Group;
  /** What one of them is called: `a database`. */
  readonly one: string;
  readonly kind: string;
  readonly path: Readonly<Record<Param, TSchema>>;
  readonly absent: string;
  /** The object that a request is about, as far as its caller may see it. */
  readonly find: (
    ctx: RouterContext,
    context: RouteContext,
    access: Access,
    path: Readonly<Record<Param, string>>,
  ) => KubeObject;
}

/** The route that requests a pass, and the same under its earlier name. */
export const reconcileRoutes = <At extends string, const S extends RouteSchema & { readonly group: Group }>(
  at: At,
  schema: S,
  handler: (context: RouteContext) => Handler<S>,
): Readonly<Record<ReconcileId<At>, Route<keyof S['path'] & string>>> => {
  const routes: Readonly<Record<string, Route<keyof S['path'] & string>>> = {
    [`POST ${at}/reconcile`]: { schema, handler },
    [`POST ${at}/look`]: { schema: { ...schema, deprecated: true }, handler },
  };
  return routes;
};

/** The routes of every machine under the path of its object. */
export const instanceRoutes = <At extends string, Param extends string>(
  at: At,
  { group, one, kind, path, absent, find }: Instance<Param>,
): InstanceRoutes<At, Param> => {
  const shared = { group, path, refusals: { 404: absent } };
  const answers = perContext((context) => objectAnswers(context, kind));
  const routes: Readonly<Record<string, Route<Param>>> = {
    [`GET ${at}/explain`]: route(
      {
        ...shared,
        summary: `Explains why ${one} is in its states, and what happens next, once for each of its machines.`,
        answers: read(explanations, 'The causes, and the decisions with their facts, in the order of the pass.'),
      },
      (context) => (ctx, access, request) =>
        answers(context).explain(ctx, find(ctx, context, access, request.path), access.view),
    ),
    [`GET ${at}/transitions`]: route(
      {
        ...shared,
        summary: `Lists the recorded transitions of ${one} in all its machines, oldest first.`,
        query: foldQuery,
        answers: read(foldedTransitions, 'The transitions, each with its row of the table.'),
      },
      (context) => (ctx, access, request) =>
        answers(context).transitions(ctx, find(ctx, context, access, request.path), access.view, request.query.fold),
    ),
    ...reconcileRoutes(
      at,
      { ...shared, summary: `Reconciles ${one} now.`, answers: { 200: uncached(done, 'A pass is requested.') } },
      (context) => (ctx, access, request) => answers(context).reconcile(ctx, find(ctx, context, access, request.path)),
    ),
  };
  return routes;
};
