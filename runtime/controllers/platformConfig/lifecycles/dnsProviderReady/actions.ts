import { Effect } from 'effect';
import type { CorePlatformConfig } from '../../../../../crds/corePlatformConfig.ts';
import type { Stage } from '../../../../../rules/dnsProviderReady/facts.ts';
import { tokenSecret, tunnelName } from '../../../../../rules/dnsProviderReady/tunnel.ts';
import type { RecordChange } from '../../../../../rules/dnsProviderReady/records.ts';
import { routesWanted } from '../../../../../rules/dnsProviderReady/wanted.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { ActionFailed } from '../../../../contract/lifecycle.ts';
import { platformConfigs } from '../../../../services/cluster/kinds.ts';
import { owned, type Owned, unmanagedMessage } from '../../../../owned/owned.ts';
import type { Cluster } from '../../../../services/cluster/cluster.ts';
import { DnsProvider, type ProviderAnswer, type ProviderLogin } from '../../../../services/dns/provider.ts';
import { errorMessage } from '../../../../../rules/errorMessage.ts';
import { credentialsOf } from '../../observe/credentials.ts';
import { publishingOf } from '../../observe.ts';
import { type ProviderRead, refusalText } from './ask.ts';

/** Hundreds of records are written over several passes, so that none takes long. */
const recordsAtOnce = 50;

interface Publishing {
  readonly config: CorePlatformConfig;
  readonly reader: CacheReader;
  readonly read: ProviderRead;
  readonly ownedResources: Owned<CorePlatformConfig>;
  /** Called with the end of a rate limit. */
  readonly limited: (until: number) => void;
}

/** Its `action` is the stage that failed, which a rule reads. */
const failure = (stage: Stage, message: string) => new ActionFailed({ action: stage, retry: 'waiting', message });

/** Performs what is due of the next stage. */
export const publish = Effect.fnUntraced(function* (
  given: Publishing,
): Effect.fn.Return<void, ActionFailed, DnsProvider | Cluster> {
  const { config, reader, read } = given;
  const { login } = credentialsOf(config, reader);
  const provider = yield* DnsProvider;
  const { stage, tunnelID } = read.seen;
  const answered = <A>(asked: Effect.Effect<ProviderAnswer<A>>) => orFailed(asked, stage, given);
  switch (stage) {
    case 'tunnel':
      yield* answered(provider.createTunnel(login, tunnelName));
      return;
    case 'token':
      yield* storeToken(given, yield* answered(provider.tunnelToken(login, tunnelID)));
      return;
    case 'routes':
      yield* answered(provider.publishRoutes(login, tunnelID, routesWanted(publishingOf(config, reader, tunnelID))));
      return;
    case 'record':
      yield* writeRecords(given, login);
  }
});

const orFailed = <A>(asked: Effect.Effect<ProviderAnswer<A>>, stage: Stage, { limited }: Publishing) =>
  Effect.flatMap(asked, (answer): Effect.Effect<A, ActionFailed> => {
    if (answer.is === 'found') return Effect.succeed(answer.value);
    if (answer.is === 'limited') limited(answer.until);
    return Effect.fail(failure(stage, refusalText(answer)));
  });

/** Stores the token of the tunnel, whose only place is its Secret. */
const storeToken = ({ config, reader, ownedResources, read }: Publishing, token: string) => {
  const object = tokenSecret(read.seen.tunnelID, Buffer.from(token).toString('base64'));
  return ownedResources.reconcile(config, reader, [{ resource: owned.secrets, object }], 'justRead').pipe(
    Effect.mapError((error) => failure('token', errorMessage(error))),
    Effect.flatMap(({ left }) => {
      const [unmanaged] = left.unmanaged;
      return unmanaged ? Effect.fail(failure('token', unmanagedMessage(unmanaged))) : Effect.void;
    }),
  );
};

const writeRecord = (login: ProviderLogin, zone: string, change: RecordChange) =>
  Effect.flatMap(DnsProvider, (provider): Effect.Effect<ProviderAnswer<string>> => {
    switch (change.does) {
      case 'create':
        return provider.createRecord(login, zone, change.record);
      case 'change':
        return provider.changeRecord(login, zone, change.record);
      case 'remove':
        return provider.removeRecord(login, zone, change.id);
      case 'nothing':
        return Effect.succeed({ is: 'silent', why: change.why });
    }
  });

/** Writes the records; a failed one does not block others; each is logged, and the first is reported (PLC-041). */
const writeRecords = Effect.fnUntraced(function* ({ read, limited }: Publishing, login: ProviderLogin) {
  let first: ActionFailed | null = null;
  for (const change of read.changes.slice(0, recordsAtOnce)) {
    const answer = yield* writeRecord(login, read.zoneID, change);
    if (answer.is === 'found') continue;
    const text = `${change.name}: ${refusalText(answer)}`;
    const { kind } = platformConfigs;
    yield* Effect.logWarning('failed to write DNS record').pipe(Effect.annotateLogs({ kind, error: text }));
    first ??= failure('record', text);
    if (answer.is !== 'limited') continue;
    limited(answer.until);
    break;
  }
  return first === null ? undefined : yield* first;
}, Effect.asVoid);
