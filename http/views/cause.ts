import type { StoredCause } from '../../crds/cause.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { hintOf, type HintedObject } from '../../rules/cause/hints.ts';
import { isReadBy, leftOut, namesTo, visibleCause } from '../../rules/cause/visible.ts';
import { textFor } from '../../rules/words.ts';
import { chainFrom } from '../../rules/cause/chain.ts';
import type { ObjectRef } from '../../rules/cause/cause.ts';
import { isInScope, type Access } from '../auth/guard.ts';
import { causesOf } from '../../runtime/step/derive.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import type { Cause, CauseLink } from '../routes/cause.ts';
import { kindsWithCauses } from './causeKinds.ts';

/** Who reads causes, and the base of the clone addresses that their hints name. */
export interface CauseReading {
  readonly view: View;
  readonly gitUrl: string;
}

/** The fields of any kind that hints name. */
interface Fields {
  readonly port?: number;
  readonly repository?: string;
  readonly branch?: string;
  readonly source?: { readonly git?: HintedObject['git'] };
}

function hintedObject(kind: string, object: KubeObject, gitUrl: string): HintedObject {
  const { spec = {} } = object as { readonly spec?: Fields };
  const { port, repository, branch, source } = spec;
  const git = repository === undefined ? source?.git : { repository, branch };
  return { kind, name: object.metadata.name, gitUrl, git, port: kind === 'CoreApp' ? (port ?? 8080) : port };
}

function causeView(owner: HintedObject, stored: StoredCause, view: View, isNamed = true): Cause {
  const {
    root = null,
    count = null,
    exitCode = null,
    lastAt = '',
    logLine = '',
    ...rest
  } = visibleCause(owner.kind, stored, view, isNamed);
  const { gaveUp = false, resolved = false, ...named } = rest;
  const hint = isNamed ? (textFor(hintOf(owner, stored), view) ?? '') : '';
  return { ...named, hint, root, count, lastAt, exitCode, logLine, gaveUp, resolved };
}

/** One of the causes of an object for a view. */
export const causeOf = (kind: string, object: KubeObject, stored: StoredCause, { view, gitUrl }: CauseReading): Cause =>
  causeView(hintedObject(kind, object, gitUrl), stored, view);

/** The causes of an object for a view, the worst first. */
export function causeViews(kind: string, object: KubeObject, { view, gitUrl }: CauseReading): readonly Cause[] {
  const owner = hintedObject(kind, object, gitUrl);
  return causesOf(object).map((stored) => causeView(owner, stored, view));
}

/** The worst cause of an object; null when there is none. */
export function worstCauseView(kind: string, object: KubeObject, reading: CauseReading): Cause | null {
  const [worst] = causesOf(object);
  return worst === undefined ? null : causeOf(kind, object, worst, reading);
}

/** Whether a caller may read the causes of an object. */
const isRead = (access: Pick<Access, 'scope'>, { spec = {} }: KubeObject & { readonly spec?: Placed }): boolean =>
  isInScope(access, { project: spec.project ?? '', environment: spec.environment ?? '' });

interface Placed {
  readonly project?: string;
  readonly environment?: string;
}

/** The way from an object to the root of its worst cause, as far as a caller may know it. */
export function chainView(
  kind: string,
  object: KubeObject,
  { reader, access, gitUrl }: { readonly reader: CacheReader; readonly access: Access; readonly gitUrl: string },
): readonly CauseLink[] {
  const { view } = access;
  const { name, namespace = systemNamespace } = object.metadata;
  const objectOf = ({ kind: of, name: called }: ObjectRef): KubeObject | undefined => {
    const resource = kindsWithCauses.find((one) => one.kind === of);
    return resource && reader.get(resource, called);
  };
  const chain = chainFrom({ kind, name, namespace }, (of) => causesOf(objectOf(of))[0] ?? null);
  const on = chain[0]?.cause?.on.kind ?? '';
  return chain.map(({ object: of, cause }, index) => {
    const isNamed = index === 0 || isReadBy(view, namesTo(kind, of.kind, on));
    const owner = objectOf(of);
    const shown = cause !== null && owner !== undefined && isRead(access, owner);
    return {
      ...of,
      name: isNamed ? of.name : leftOut,
      cause: shown ? causeView(hintedObject(of.kind, owner, gitUrl), cause, view, isNamed) : null,
    };
  });
}
