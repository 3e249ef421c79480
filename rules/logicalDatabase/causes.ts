import { type CauseRule, found, waiting } from '../cause/rule.ts';
import { hidden, sentence, toObservers } from '../words.ts';
import type { LogicalDatabaseObserved } from './facts.ts';
import { adminSecretName } from './job.ts';

type Seen = LogicalDatabaseObserved;

export const projectOf = ({ project }: Seen) => ({ kind: 'CoreProject', name: project });
export const serverOf = ({ serverName }: Seen) => ({ kind: 'CoreDatabase', name: serverName });

/** The server is not Ready: its name, and what it suffers from. */
export const byServerWaitedFor: CauseRule<Seen> = found(['ServerNotReady'], (seen, { self, causeOf }) => {
  const message = sentence('database server "{name}" is not ready', { name: toObservers(seen.serverName) });
  return [waiting('ServerNotReady', { ...serverOf(seen), namespace: self.namespace }, { message, causeOf })];
});

/** The Secret of the administrator, which the server is to have, is missing. */
export const byAdminSecret: CauseRule<Seen> = found(['SecretMissing'], (seen, { self }) => {
  const { server, serverName } = seen;
  const engine = server.is === 'found' && server.engine === 'MySQL' ? 'MySQL' : 'Postgres';
  const message = sentence('Secret "{name}" is missing', { name: hidden(adminSecretName(serverName, engine)) });
  return [{ reason: 'SecretMissing', message, on: { ...serverOf(seen), namespace: self.namespace } }];
});
