import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { databaseIn, secretIn, textIn } from '../../../support/database.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { unnamedConnection } from '../connected.ts';
import type { Oracle } from '../subject.ts';

const loginsIn = ({ provider }: TestEnvironment) => [...provider.databases.values()].flatMap(({ logins }) => logins);

/**
 * The login that a leader asks for as it stands still cannot be held back: it has the name of the other one, and is
 * revoked with it.
 */
function isOneLogin(logins: readonly { readonly name: string }[], late: boolean): boolean {
  const [first, second] = logins;
  return logins.length === 1 || (late && logins.length === 2 && first?.name === second?.name);
}

/** What is wrong with the logins at the provider, once everything has converged. */
function atRestIn(environment: TestEnvironment, hasUserEdits: boolean, late: boolean): readonly string[] {
  const database = databaseIn(environment);
  const logins = loginsIn(environment);
  const live = logins.map(({ password }) => password);
  const stored = secretIn(environment, 'connection') ? textIn(environment, 'connection', 'password') : null;
  if (database?.status?.phase === 'Ready')
    return [
      ...(stored !== null && live.includes(stored) ? [] : ['it is Ready, and its login is not live']),
      ...(hasUserEdits || isOneLogin(logins, late) ? [] : [`${live.length} logins are live`]),
    ];
  if (hasUserEdits || (database && database.status?.phase !== 'Draft')) return [];
  return live.length === 0 ? [] : [`${live.length} logins are live of a database that is gone or stopped`];
}

/** What must hold of a managed database under every fault: of its password, its logins and the provider's database. */
export function managedOracle(environment: TestEnvironment, hasUserEdits: boolean, late: boolean): Oracle {
  const of = (call: string) => environment.provider.state.calls.filter((one) => one.startsWith(call)).length;
  return {
    look: (changed: KubeObject) => {
      if (changed.kind !== 'CoreDatabase') return [];
      const status = JSON.stringify((changed as CoreDatabase).status ?? {});
      if (/provided-\d|s3cret/.test(status)) return ['a password or a token is told in the status'];
      return hasUserEdits ? [] : unnamedConnection(changed);
    },
    atRest: () => [
      ...atRestIn(environment, hasUserEdits, late),
      ...(environment.provider.databases.size > 1 ? ['two databases are made at the provider'] : []),
      ...(of('create') > 0 && environment.provider.databases.size === 0 ? ["the provider's database is gone"] : []),
    ],
  };
}
