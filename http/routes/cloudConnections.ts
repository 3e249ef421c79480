import type { RouterContext } from '@koa/router';
import { Effect, Result } from 'effect';
import type { CoreCloudConnection } from '../../crds/coreCloudConnection.ts';
import { label, managedBy, systemNamespace } from '../../crds/names.ts';
import { connectionSecretName, fieldLacking, keysGiven, newConnection } from '../../rules/cloud/newConnection.ts';
import { changed } from '../../rules/project/change.ts';
import { usersOf } from '../../runtime/controllers/cloud/users.ts';
import { cloudConnections } from '../../runtime/kinds.ts';
import { secrets } from '../../runtime/resources.ts';
import { asSeen, Cluster } from '../../runtime/services/cluster.ts';
import { readSecret } from '../../runtime/services/secret.ts';
import { answer, answerSaved, refuse } from '../answer.ts';
import type { Deleted, Items, Summary } from '../api.ts';
import { sendJson, sendRead } from '../json.ts';
import { projectChanges, projectIn } from '../projectChange.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { cloudConnectionRead, cloudConnectionSummary } from '../views/cloudConnection.ts';

const byName = (a: Summary, b: Summary) => (a.name < b.name ? -1 : 1);

/** The accounts that a project is linked to; their keys go into a Secret and never come back. */
export function cloudConnectionRoutes(routes: Routes, serving: Serving): void {
  const { operator, run } = serving;
  const { caches } = operator;
  const change = projectChanges(serving);
  const readOf = (connection: CoreCloudConnection) =>
    cloudConnectionRead(connection, usersOf(connection.metadata.name, caches), 'whole');

  routes.on('GET /projects/{project}/cloud-connections', function listConnections(ctx, { view }, { path }) {
    const { name: project } = projectIn(ctx, caches, path.project).metadata;
    const items = caches
      .list(cloudConnections)
      .filter(({ spec }) => spec.project === project)
      .map((connection) => cloudConnectionSummary(connection, usersOf(connection.metadata.name, caches), view))
      .toSorted(byName);
    sendRead(ctx, { items } satisfies Items<Summary>);
  });

  routes.on('POST /projects/{project}/cloud-connections', async function connect(ctx, _, { path, body }) {
    // Refuses before anything is written where the project is missing or is being deleted.
    await change(ctx, path.project, () => changed(null));
    const { name, provider } = body;
    const lacking = fieldLacking(provider, body);
    if (lacking !== null) return refuse(ctx, 400, `${lacking} is required for the provider ${provider}`);
    const taken = () => refuse(ctx, 409, `cloud connection "${name}" already exists`);
    if (caches.get(cloudConnections, name)) return taken();
    await saveKeys(ctx, { name, project: path.project, keys: keysGiven(provider, body) });
    const added = await run(operator.add(cloudConnections, newConnection(name, path.project, body)));
    if (Result.isFailure(added) && added.failure._tag === 'AlreadyExists') return taken();
    return sendJson(ctx, readOf(answerSaved(ctx, added)), 201);
  });

  routes.on('PATCH /projects/{project}/cloud-connections/{connection}', async function patch(ctx, _, { path, body }) {
    const { metadata, spec } = connectionIn(ctx, path);
    const { region, endpoint, iamEndpoint } = body;
    const fields = Object.fromEntries(
      Object.entries({ region, endpoint, iamEndpoint }).filter(([, value]) => value !== undefined),
    );
    const edited = await run(
      operator.edit(cloudConnections, metadata.name, () => ({
        patch: Object.keys(fields).length === 0 ? null : { spec: fields },
        result: null,
      })),
    );
    const { object } = answerSaved(ctx, edited);
    const keys = keysGiven(spec.provider, body);
    if (Object.keys(keys).length > 0)
      await saveKeys(ctx, { name: metadata.name, project: path.project, keys, secret: spec.secretRef.name });
    return sendJson(ctx, readOf(object));
  });

  routes.on('DELETE /projects/{project}/cloud-connections/{connection}', async function remove(ctx, _, { path }) {
    const connection = connectionIn(ctx, path);
    const { name } = connection.metadata;
    const users = usersOf(name, caches);
    if (users.length > 0) return refuse(ctx, 409, `cloud connection "${name}" is used by ${users.join(', ')}`);
    answer(ctx, await run(removed(connection)));
    return sendJson(ctx, { name, kind: 'CoreCloudConnection', deleted: true } satisfies Deleted);
  });

  function connectionIn(
    ctx: RouterContext,
    { project, connection: name }: { readonly project: string; readonly connection: string },
  ): CoreCloudConnection {
    projectIn(ctx, caches, project);
    const found = caches.get(cloudConnections, name);
    return found?.spec.project === project ? found : refuse(ctx, 404, `cloud connection "${name}" was not found`);
  }

  interface Saving {
    readonly name: string;
    readonly project: string;
    readonly keys: Readonly<Record<string, string>>;
    readonly secret?: string;
  }

  /** Keys go only into a Secret that a request made for this project; one that was made by hand is changed by hand. */
  async function saveKeys(ctx: RouterContext, { name, project, keys, secret }: Saving): Promise<void> {
    const secretName = secret ?? connectionSecretName(name);
    const found = answer(ctx, await run(readSecret(secretName)));
    if (found && !isOurs(found, project))
      return refuse(ctx, 409, `Secret "${secretName}" was not made by Core: change it by hand`);
    const data = Object.fromEntries(
      Object.entries(keys).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    );
    const labels = { [label.managedBy]: managedBy, [label.project]: project };
    const metadata = { name: secretName, namespace: systemNamespace, labels };
    const saved = Effect.flatMap(Cluster, (cluster) =>
      found
        ? cluster.patch(secrets, { name: secretName }, { data }, asSeen(found))
        : cluster.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data }),
    );
    answer(ctx, await run(saved));
  }
}

const isOurs = (
  { metadata }: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } },
  project: string,
) => metadata.labels?.[label.managedBy] === managedBy && metadata.labels[label.project] === project;

/** First the connection, so that nothing names keys that are gone. */
const removed = (connection: CoreCloudConnection) =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const { metadata, spec } = connection;
    yield* cluster.remove(
      cloudConnections,
      { name: metadata.name },
      metadata.uid === undefined ? {} : { uid: metadata.uid },
    );
    const secret = yield* readSecret(spec.secretRef.name);
    if (secret && isOurs(secret, spec.project ?? ''))
      yield* cluster.remove(secrets, { name: secret.metadata.name }, asSeen(secret));
  });
