import type { Deployment, Items } from '../../api.ts';
import { pathOf } from '../client.ts';
import { ApiFailure } from '../failure.ts';
import { answerOf, items, object, read, text } from '../shape.ts';
import type { Ask } from './ask.ts';

const deploymentsShape = answerOf<Items<Deployment>>()(items(object({ id: text })));

/** The deployment before the newest one. */
async function earlierOf(ask: Ask, app: string): Promise<string> {
  const { items: all } = read(deploymentsShape, await ask('GET', pathOf('apps', app, 'deployments')));
  const [, earlier] = all;
  if (earlier === undefined) throw new ApiFailure(`${app} has no earlier deployment to go back to`, 404);
  return earlier.id;
}

/** Deploys an earlier deployment of a service again: the one before the newest where none is named. */
export async function rollBack(ask: Ask, app: string, deployment?: string) {
  const revision = deployment ?? (await earlierOf(ask, app));
  return { revision, answer: await ask('POST', pathOf('apps', app, 'rollback'), { body: { revision } }) };
}
