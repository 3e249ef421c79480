import type { RouterContext } from '@koa/router';
import { refuse } from '../orThrow.ts';
import type { Access } from '../auth/guard.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServedInstance, ServedMachine } from '../servedMachine.ts';

interface Named {
  readonly path: { readonly machine: string; readonly instance: string };
}

/** The instances of every machine, one by one: where it stands, why, what moved it. */
export function instanceRoutes(routes: Routes, machineIn: (ctx: RouterContext, asked: Named) => ServedMachine): void {
  const notFound = (ctx: RouterContext, { path: { machine, instance } }: Named): never =>
    refuse(ctx, 404, `instance "${instance.slice(0, 80)}" of the machine ${machine} was not found`);

  const answering =
    (part: keyof ServedInstance) =>
    async (ctx: RouterContext, { view }: Access, asked: Named): Promise<unknown> => {
      const found = await machineIn(ctx, asked).find(asked.path.instance, view);
      const answer = found?.[part] ?? notFound(ctx, asked);
      return answer(ctx);
    };

  routes.on('GET /machines/{machine}/instances/{instance}', answering('read'));
  routes.on('GET /machines/{machine}/instances/{instance}/explain', answering('explain'));
  routes.on('GET /machines/{machine}/instances/{instance}/transitions', answering('transitions'));
  routes.on('POST /machines/{machine}/instances/{instance}/look', answering('look'));
}
