import { Effect } from 'effect';
import type { Secret } from '../../../../crds/builtIn.ts';
import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import { triggerSecretName, triggerToken } from '../../../../rules/function/names.ts';
import { isTriggered } from '../../../../rules/function/triggered.ts';
import { namespaceOf } from '../../../../rules/project/environment.ts';
import { owned } from '../../../owned/owned.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { Cluster, type ReadError } from '../../../services/cluster/cluster.ts';
import { Passwords } from '../../../services/passwords.ts';
import { secretText } from '../../../services/secretText.ts';
import { find } from '../../../services/cluster/find.ts';

const placeOf = ({ metadata }: CoreApp, { project, environment }: AppSpec) => ({
  name: triggerSecretName(metadata.name),
  namespace: namespaceOf(project, environment),
});

const tokenIn = (secret: Secret | undefined): string => secretText(secret, triggerToken);

/** The cached token of scheduled calls: null without its Secret, empty when the Secret lacks it. */
export function tokenOf(app: CoreApp, spec: AppSpec, reader: CacheReader): string | null {
  const { name, namespace } = placeOf(app, spec);
  const found = reader.get(owned.secrets, name, namespace);
  return found ? tokenIn(found) : null;
}

/** The token to apply: generated once, after a direct read, so that it is never replaced. */
export const settledToken = Effect.fnUntraced(function* (
  app: CoreApp,
  spec: AppSpec,
  reader: CacheReader,
): Effect.fn.Return<string | null, ReadError, Cluster | Passwords> {
  if (!isTriggered(spec)) return null;
  const cached = tokenOf(app, spec, reader);
  if (cached) return cached;
  const stored = yield* find(owned.secrets, placeOf(app, spec));
  return tokenIn(stored ?? undefined) || (yield* (yield* Passwords).draw);
});
