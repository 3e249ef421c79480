import { Effect } from 'effect';
import type { DnsProviderShape, ProviderAnswer } from './dns/provider.ts';
import type { Gate } from './gate.ts';
import { SshFailed, type SshShape } from './ssh/ssh.ts';

type FromProvider<A> = Effect.Effect<ProviderAnswer<A>>;

/** A change that is held back counts as one without a response. */
const through = <A>(gate: Gate, write: string, asked: FromProvider<A>): FromProvider<A> =>
  gate.through(write).pipe(
    Effect.andThen(asked),
    Effect.catchTag('Unavailable', ({ message }) => Effect.succeed<ProviderAnswer<A>>({ is: 'silent', why: message })),
  );

export const gatedProvider = (provider: DnsProviderShape, gate: Gate): DnsProviderShape => ({
  ...provider,
  createRecord: (login, zone, record) =>
    through(gate, `create record ${record.name}`, provider.createRecord(login, zone, record)),
  changeRecord: (login, zone, record) =>
    through(gate, `change record ${record.name}`, provider.changeRecord(login, zone, record)),
  removeRecord: (login, zone, id) => through(gate, `remove record ${id}`, provider.removeRecord(login, zone, id)),
  createTunnel: (login, name) => through(gate, `create tunnel ${name}`, provider.createTunnel(login, name)),
  publishRoutes: (login, tunnel, routes) =>
    through(gate, `publish routes of ${tunnel}`, provider.publishRoutes(login, tunnel, routes)),
});

export const gatedSsh = (ssh: SshShape, gate: Gate): SshShape => ({
  run: (asked) =>
    gate.through(`run on ${asked.host}`).pipe(
      Effect.mapError(({ message }) => new SshFailed({ message })),
      Effect.andThen(ssh.run(asked)),
    ),
});
