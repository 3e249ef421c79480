import { Effect } from 'effect';
import { group } from '../../crds/names.ts';
import { defaultSilenceMs } from '../../runtime/cache/cache.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { absenceIn } from '../auth/absent.ts';

/** A kind of which nothing was heard for this long is late: by then its watch has been declared dead and begun anew. */
export const lateAfterMs = defaultSilenceMs * 1.25;

/** What `/readyz` answers (api.md, section 3). */
export type Readiness =
  /** `late` names other kinds of which nothing was heard for too long; absent where there is none. */
  { readonly ok: true; readonly late?: readonly string[] } | { readonly ok: false; readonly why: string };

interface ReadinessInput {
  readonly caches: Caches;
  readonly isListed: boolean;
  readonly lateAfterMs?: number;
}

/** The kinds without which no object is reconciled and no sign-in succeeds; any other delays only its users. */
const isNeeded = (resource: Resource) => resource.group === group || resource.plural === secrets.plural;

/** Whether the process can serve: everything was listed, somebody can sign in, the kinds that it needs are current. */
export const readinessOf = Effect.fnUntraced(function* (given: ReadinessInput): Effect.fn.Return<Readiness> {
  const { caches, isListed, lateAfterMs: boundMs = lateAfterMs } = given;
  if (!isListed) return { ok: false, why: 'the caches are being listed' };
  const absent = absenceIn(caches);
  if (absent !== null) return { ok: false, why: absent };
  const old = yield* Effect.filter(caches.all, ({ age }) => Effect.map(age, (ms) => ms >= boundMs));
  const late = old.map(({ resource }) => resource);
  const needed = kindsOf(late.filter(isNeeded));
  if (needed.length > 0) return { ok: false, why: `nothing was heard of ${needed.join(', ')}` };
  return late.length === 0 ? { ok: true } : { ok: true, late: kindsOf(late) };
});

const kindsOf = (resources: readonly Resource[]) => [...new Set(resources.map(({ kind }) => kind))];
