import { type CoreConsoleSession, coreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation, label, systemNamespace } from '../../crds/names.ts';
import { isOfStore, type Target } from './target.ts';

/** What a session is made of. */
export interface NewSession {
  readonly target: Target;
  readonly actor: string;
  readonly command: readonly string[];
  readonly timeoutSeconds: number | undefined;
  /** The pod that was checked; another one of its name is not entered. */
  readonly podUid: string;
  /** Random bytes that nobody can guess: whoever knows the name may attach. */
  readonly random: Uint8Array;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Five bits a letter, as names of objects may be. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** Bytes of a name: 80 bits. */
export const nameBytes = 10;

/** Who opens a session: the dashboard itself where no user name is known. */
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
  // Without a limit it is the default of the kind.
  const spec = { ...target, actor, command: [...command], ...limit } as CoreConsoleSession['spec'];
  return { ...typeMeta(coreConsoleSession), metadata, spec };
}
