import type { RouterContext } from '@koa/router';
import { Effect, Result } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { isListed } from '../../rules/redaction/redact.ts';
import { Journal, type Tombstone } from '../../runtime/services/journal.ts';
import { refuse } from '../answer.ts';
import type { InstanceRead, Transitions } from '../api.ts';
import type { Access } from '../auth/guard.ts';
import { type InstanceAnswers, instanceAnswers } from '../instances.ts';
import { sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { departedRead, departedTransitions } from '../views/departed.ts';
import { instanceRead } from '../views/instance.ts';
import type { Kinds, Placed } from '../views/placed.ts';

interface Named {
  readonly path: { readonly machine: string; readonly instance: string };
}

/** One instance of one machine on one kind. */
interface Found extends InstanceAnswers {
  readonly placed: Placed;
  readonly object: KubeObject;
}

/** A name among those of a kind that has the machine; it may have no object. */
interface Sought {
  readonly placed: Placed;
  readonly name: string;
}

/** The instances of every machine, one by one: state, explanation, moves. */
export function instanceRoutes(
  routes: Routes,
  serving: Serving,
  machineIn: (ctx: RouterContext, asked: Named) => Kinds,
): void {
  const { operator, run } = serving;
  const answers = new WeakMap<Placed, InstanceAnswers>();
  const answersOf = (placed: Placed): InstanceAnswers => {
    const known = answers.get(placed) ?? instanceAnswers(serving, placed);
    answers.set(placed, known);
    return known;
  };

  const notFound = (ctx: RouterContext, { path: { machine, instance } }: Named): never =>
    refuse(ctx, 404, `instance "${instance.slice(0, 80)}" of the machine ${machine} was not found`);

  function soughtIn(ctx: RouterContext, { view }: Access, asked: Named): Sought {
    const [plural = '', ...rest] = asked.path.instance.split(':');
    const placed = machineIn(ctx, asked).find(
      ({ controller: { resource } }) => resource.plural === plural && isListed(resource.kind, view),
    );
    return placed ? { placed, name: rest.join(':') } : notFound(ctx, asked);
  }

  const objectOf = ({ placed, name }: Sought) => operator.caches.get(placed.controller.resource, name);

  function instanceIn(ctx: RouterContext, access: Access, asked: Named): Found {
    const sought = soughtIn(ctx, access, asked);
    const object = objectOf(sought);
    return object ? { placed: sought.placed, object, ...answersOf(sought.placed) } : notFound(ctx, asked);
  }

  /** The last object that had a name, from its tombstone. */
  async function departedIn(ctx: RouterContext, { placed, name }: Sought, asked: Named): Promise<Tombstone> {
    const buried = await run(Effect.flatMap(Journal, ({ since }) => since(0)));
    const { kind } = placed.controller.resource;
    const last = Result.isSuccess(buried)
      ? buried.success.findLast((one) => one.kind === kind && one.name === name)
      : undefined;
    return last ?? notFound(ctx, asked);
  }

  routes.on('GET /machines/{machine}/instances/{instance}', async function readInstance(ctx, access, asked) {
    const sought = soughtIn(ctx, access, asked);
    const object = objectOf(sought);
    const { placed } = sought;
    const told: InstanceRead = object
      ? instanceRead(operator, placed, object, access.view)
      : departedRead(placed, await departedIn(ctx, sought, asked), access.view);
    sendRead(ctx, told);
  });

  routes.on('GET /machines/{machine}/instances/{instance}/explain', function explainInstance(ctx, access, asked) {
    const { explain, object } = instanceIn(ctx, access, asked);
    return explain(ctx, object, access.view);
  });

  routes.on('GET /machines/{machine}/instances/{instance}/transitions', async function listMoves(ctx, access, asked) {
    const sought = soughtIn(ctx, access, asked);
    const object = objectOf(sought);
    const { placed } = sought;
    if (object) return answersOf(placed).transitions(ctx, object, access.view);
    const tombstone = await departedIn(ctx, sought, asked);
    return sendRead(ctx, departedTransitions(placed, tombstone, access.view) satisfies Transitions);
  });

  routes.on('POST /machines/{machine}/instances/{instance}/look', function lookAtInstance(ctx, access, asked) {
    const { look, object } = instanceIn(ctx, access, asked);
    return look(ctx, object);
  });
}
