import { isObject } from '../../rules/json.ts';
import type { KubeObject } from '../../crds/kind.ts';
import type { KindName, ObjectNamed } from '../../crds/kinds.ts';
import type { View } from '../../rules/access/needs.ts';
import { changeKindsOf } from '../../rules/draftDeploy/kindsOf.ts';
import { differingPaths } from '../../rules/draftDeploy/paths.ts';
import { snapshotOf } from '../../rules/draftDeploy/stored.ts';
import { isAtOnce } from '../../rules/draftDeploy/waiting.ts';
import { appliesAtOnce } from '../../rules/draftDeploy/waits.ts';
import { redacted } from '../../rules/redaction/redact.ts';
import type { Change } from '../routes/resource.ts';

/** A change of these is shown by its name alone. */
const secretFields = ['spec.secretData', 'spec.secretVariables'];
/** Viewers do not read the names in these. */
const namedFields = ['spec.config', ...secretFields];

const fieldOf = (path: string, fields: readonly string[]): string | undefined =>
  fields.find((field) => path === field || path.startsWith(`${field}.`));

/** The value at a path below `spec`; a name in it may have dots of its own. */
function valueAt(within: unknown, path: string): unknown {
  if (path === '') return within ?? null;
  if (!isObject(within)) return null;
  for (const [name, value] of Object.entries(within)) {
    if (name === path) return value ?? null;
    const found = path.startsWith(`${name}.`) ? valueAt(value, path.slice(name.length + 1)) : null;
    if (found !== null) return found;
  }
  return null;
}

type Deployed = Extract<KindName, 'CoreApp' | 'CoreDatabase' | 'CoreObjectStore'>;
interface Gated extends KubeObject {
  readonly spec: { readonly deploy: { readonly enabled: boolean } };
}

const deployedKinds = { CoreApp: 'service', CoreDatabase: 'database', CoreObjectStore: 'bucket' } as const;

/**
 * What is saved of an object and waits for a deploy, as a view may read it; nothing of a draft, which runs nothing, nor
 * of what applies at once.
 */
export function changesOf<Kind extends Deployed>(
  kind: Kind,
  object: ObjectNamed<Kind> & Gated,
  view: View,
): readonly Change[] {
  const snapshot = snapshotOf<ObjectNamed<Kind>['spec']>(object);
  if (snapshot === null || !object.spec.deploy.enabled || appliesAtOnce(deployedKinds[kind], object)) return [];
  const saved = { spec: redacted(kind, object, view).spec };
  const deployed = { spec: redacted(kind, { ...object, spec: snapshot }, view).spec };
  const waiting = differingPaths(snapshot, object.spec).filter((path) => !isAtOnce(path));
  const visible = view === 'viewer' ? waiting.map((path) => fieldOf(path, namedFields) ?? path) : waiting;
  return [...new Set(visible)].map((path) => {
    const isSecret = fieldOf(path, secretFields) !== undefined;
    return {
      path,
      kind: changeKindsOf([path])[0] ?? 'settings',
      deployed: isSecret ? null : valueAt(deployed, path),
      saved: isSecret ? null : valueAt(saved, path),
    };
  });
}
