import type { RouterContext } from '@koa/router';
import { Effect } from 'effect';
import type { Secret } from '../../../crds/builtIn.ts';
import { type AppSpec, type CoreApp, coreApp } from '../../../crds/coreApp.ts';
import { label, managedBy, systemNamespace } from '../../../crds/names.ts';
import { snapshotOf } from '../../../rules/draftDeploy/stored.ts';
import { ownerReference, withOwner } from '../../../rules/owned/ownerReference.ts';
import { variablesName } from '../../../rules/service/names.ts';
import { isLongAgo, isVariablesOf, versionKey, versionOf } from '../../../rules/service/variables.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { secretText } from '../../../runtime/services/secretText.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { savedOrThrow } from '../../orThrow.ts';
import type { ServerContext } from '../../context.ts';

interface Value {
  readonly app: CoreApp;
  readonly key: string;
  readonly value: string;
}

/**
 * Keeps a value under a version of its own before the spec names that version, so that what was deployed keeps its
 * value and a value that nobody names does no harm. The version that the spec names is kept where the value is the same.
 */
export async function keepSecret(
  ctx: RouterContext,
  context: ServerContext,
  { app, key, value }: Value,
): Promise<string> {
  const { operator, random, now, run } = context;
  const name = variablesName(app.metadata.name);
  const stored = operator.caches.get(secrets, name);
  const current = app.spec.secretVariables?.[key];
  if (current !== undefined && secretText(stored, versionKey(key, current)) === value && value !== '') return current;
  const version = versionOf(now(), random(4).toString('hex'));
  const old = Object.keys(stored?.data ?? {}).filter((entry) => isUnused(app, entry, now()));
  const data = {
    ...Object.fromEntries(old.map((entry) => [entry, null])),
    [versionKey(key, version)]: Buffer.from(value).toString('base64'),
  };
  savedOrThrow(ctx, await run(written(app, name, { data, stored })));
  return version;
}

const namedBy = ({ secretVariables = {} }: Pick<AppSpec, 'secretVariables'>): readonly string[] =>
  Object.entries(secretVariables).map(([key, version]) => versionKey(key, version));

/** Whether neither the spec nor what was deployed names an entry, and no request that wrote it can still be under way. */
function isUnused(app: CoreApp, entry: string, now: number): boolean {
  const named = [...namedBy(app.spec), ...namedBy(snapshotOf<AppSpec>(app) ?? {})];
  return !named.includes(entry) && isLongAgo(entry, now);
}

/** A Secret owned by its service; its labels keep it out of the objects that a pass applies or prunes. */
const secretOf = (app: CoreApp, name: string, data: Readonly<Record<string, string>>): Secret => {
  const { metadata, spec } = app;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace: systemNamespace,
      labels: {
        [label.managedBy]: managedBy,
        [label.app]: metadata.name,
        [label.project]: spec.project,
        [label.environment]: spec.environment,
      },
      ownerReferences: [ownerReference(coreApp, app)],
    },
    data,
  };
};

/** The owner of a Secret that an earlier service of the name has left, and that goes with that one else. */
function ownedNow(app: CoreApp, stored: Secret | undefined): object {
  const owners = stored && isVariablesOf(app, stored) ? withOwner(stored, ownerReference(coreApp, app)) : null;
  return owners === null ? {} : { metadata: { ownerReferences: owners } };
}

const written = Effect.fnUntraced(function* (
  app: CoreApp,
  name: string,
  { data, stored }: { readonly data: Readonly<Record<string, string | null>>; readonly stored: Secret | undefined },
) {
  const cluster = yield* Cluster;
  const values = Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const patched = cluster.patch<Secret>(secrets, { name }, { data, ...ownedNow(app, stored) });
  return yield* patched.pipe(
    Effect.catchTag('NotFound', () => cluster.create(secrets, secretOf(app, name, values))),
    // Another request created it in between.
    Effect.catchTag('AlreadyExists', () => patched),
  );
});
