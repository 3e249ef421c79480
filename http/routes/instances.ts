import type { RouterContext } from '@koa/router';
import type { KubeObject } from '../../crds/kind.ts';
import { isListed } from '../../rules/redaction/redact.ts';
import { refuse } from '../answer.ts';
import type { InstanceRead } from '../api.ts';
import type { Access } from '../auth/guard.ts';
import { type InstanceAnswers, instanceAnswers } from '../instances.ts';
import { sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
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

/** The instances of every machine, one by one: where it stands, why, what moved it. */
export function instanceRoutes(
  routes: Routes,
  serving: Serving,
  machineIn: (ctx: RouterContext, asked: Named) => Kinds,
): void {
  const { operator } = serving;
  const answers = new WeakMap<Placed, InstanceAnswers>();
  const answersOf = (placed: Placed): InstanceAnswers => {
    const known = answers.get(placed) ?? instanceAnswers(serving, placed);
    answers.set(placed, known);
    return known;
  };

  function instanceIn(ctx: RouterContext, { view }: Access, asked: Named): Found {
    const { machine, instance: id } = asked.path;
    const [plural = '', ...rest] = id.split(':');
    const placed = machineIn(ctx, asked).find(
      ({ controller: { resource } }) => resource.plural === plural && isListed(resource.kind, view),
    );
    const object = placed && operator.caches.get(placed.controller.resource, rest.join(':'));
    if (!object) return refuse(ctx, 404, `instance "${id.slice(0, 80)}" of the machine ${machine} was not found`);
    return { placed, object, ...answersOf(placed) };
  }

  routes.on('GET /machines/{machine}/instances/{instance}', function readInstance(ctx, access, asked) {
    const { placed, object } = instanceIn(ctx, access, asked);
    sendRead(ctx, instanceRead(operator, placed, object, access.view) satisfies InstanceRead);
  });

  routes.on('GET /machines/{machine}/instances/{instance}/explain', function explainInstance(ctx, access, asked) {
    const { explain, object } = instanceIn(ctx, access, asked);
    return explain(ctx, object, access.view);
  });

  routes.on('GET /machines/{machine}/instances/{instance}/transitions', function listMoves(ctx, access, asked) {
    const { transitions, object } = instanceIn(ctx, access, asked);
    transitions(ctx, object, access.view);
  });

  routes.on('POST /machines/{machine}/instances/{instance}/look', function lookAtInstance(ctx, access, asked) {
    const { look, object } = instanceIn(ctx, access, asked);
    return look(ctx, object);
  });
}
