import { databaseController } from '../../runtime/controllers/database/controller.ts';
import { databases, everyKind } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { putDatabaseEnvironment } from '../support/database.ts';
import { virtualTime } from '../support/virtualTime.ts';
import { makeTestEnvironment } from '../support/environment.ts';
import { benchDatabase, elsewhere, passwordSecret } from './benchDatabase.ts';
import { letPass } from './idling.ts';

export interface SecretFigures {
  /** Databases that a pass was made over after one Secret changed. */
  readonly woken: readonly string[];
  /** Databases whose password it is not, and that were written all the same. */
  readonly wrote: readonly string[];
}

const password = (number: number) => `password-${number}`;

/** One of many Secrets changes, of which each is the password of a database. */
export async function oneSecretOf(count: number): Promise<SecretFigures> {
  const time = virtualTime(undefined, undefined, Number.POSITIVE_INFINITY);
  const looked: string[] = [];
  const controller = databaseController();
  const watched = {
    ...controller,
    derive: (...given: Parameters<NonNullable<typeof controller.derive>>) => {
      looked.push(given[0].metadata.name);
      return controller.derive?.(...given) ?? {};
    },
  };
  const environment = makeTestEnvironment({ now: time.wall, controllers: [watched], alsoSeen: everyKind });
  putDatabaseEnvironment(environment);
  for (let number = 0; number < count; number++) {
    environment.cluster.put(secrets, passwordSecret(password(number), 'one'));
    environment.cluster.put(databases, benchDatabase(`orders-${number}`, elsewhere(password(number))));
  }
  const { stop } = await time.wait(environment.start(undefined, time.over(environment.services)));
  await letPass(time, 120_000);
  const changed = Math.floor(count / 2);
  const wrote: string[] = [];
  environment.cluster.onChange(({ kind, metadata }) => {
    if (kind === 'CoreDatabase' && metadata.name !== `orders-${changed}`) wrote.push(metadata.name);
  });
  looked.length = 0;
  environment.cluster.put(secrets, passwordSecret(password(changed), 'two'));
  await letPass(time, 5_000);
  const woken = [...new Set(looked)];
  await time.wait(stop());
  return { woken, wrote };
}
