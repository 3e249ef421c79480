import type { AppSpec, CoreApp } from '../../crds/coreApp.ts';
import type { View } from '../../rules/access/needs.ts';
import { changeKindsOf } from '../../rules/draftDeploy/kindsOf.ts';
import { differingPaths } from '../../rules/draftDeploy/paths.ts';
import { snapshotOf } from '../../rules/draftDeploy/stored.ts';
import { isAtOnce } from '../../rules/draftDeploy/waiting.ts';
import { redacted } from '../../rules/redaction/redact.ts';
import type { Change } from '../api.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Of these a change is told by its name alone. */
const secretFields = ['spec.secretData.', 'spec.secretVariables.'];

const valueAt = (spec: object, path: string): unknown => {
  const value = path
    .split('.')
    .slice(1)
    .reduce<unknown>((within, name) => (within as Fields | undefined)?.[name], spec);
  return value ?? null;
};

/** What is saved of a service and waits for a deploy, as a view may read it; nothing of a draft, which runs nothing. */
export function changesOf(app: CoreApp, view: View): readonly Change[] {
  const snapshot = snapshotOf<AppSpec>(app);
  if (snapshot === null || !app.spec.deploy.enabled) return [];
  const saved = redacted('CoreApp', app, view).spec;
  const deployed = redacted('CoreApp', { ...app, spec: snapshot }, view).spec;
  const secret = (path: string) => secretFields.some((field) => path.startsWith(field));
  return differingPaths(snapshot, app.spec)
    .filter((path) => !isAtOnce(path))
    .map((path) => ({
      path,
      kind: changeKindsOf([path])[0] ?? 'settings',
      deployed: secret(path) ? null : valueAt(deployed, path),
      saved: secret(path) ? null : valueAt(saved, path),
    }));
}
