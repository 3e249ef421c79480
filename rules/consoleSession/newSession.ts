import { type CoreConsoleSession, coreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation, label, systemNamespace } from '../../crds/names.ts';
import { isOfStore, type Target } from './target.ts';

/** The inputs of a new session. */
export interface NewSession {
  readonly target: Target;
  readonly actor: string;
  readonly command: readonly string[];
  readonly timeoutSeconds: number | undefined;
  /** The checked pod; another one of its name is refused. */
  readonly podUid: string;
  /** Unguessable random bytes, because knowing the name allows attaching. */
  readonly random: Uint8Array;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes five bits per letter, valid in object names. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** Bytes of a name: 80 bits. */
export const nameBytes = 10;

/** The actor of a session: the dashboard itself without a user name. */
export const actorOf = (username: string): string => username || 'dashboard';

/** A session as the dashboard creates it. It has no owner: the audit trail outlives the service. */
export function newSession({ target, actor, command, timeoutSeconds, podUid, random }: NewSession): CoreConsoleSession {
  const { app, project, environment } = target;
  const labels = isOfStore(target)
    ? {}
    : { [label.app]: app, [label.project]: project, [label.environment]: environment };
  const metadata = {
    name: `console-${base32(random)}`,
    namespace: systemNamespace,
    labels,
    annotations: { [annotation.podUid]: podUid },
  };
  const limit = timeoutSeconds === undefined ? {} : { timeoutSeconds };
  // Without a limit the default of the kind applies.
  const spec = { ...target, actor, command: [...command], ...limit } as CoreConsoleSession['spec'];
  return { ...typeMeta(coreConsoleSession), metadata, spec };
}
