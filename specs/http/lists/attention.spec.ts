import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { attentionGroups, concernedOf, itemOf } from '../../../http/lists/attention.ts';
import { kindsWithCauses } from '../../../http/views/causeKinds.ts';
import {
  type Attention,
  attentionKey,
  attentionOf,
  byAttention,
  type Concern,
  isConcern,
} from '../../../rules/cause/attention.ts';
import type { Caches } from '../../../runtime/cache/caches.ts';
import { forgetAllBut, makeIndexer } from '../../../runtime/cache/indexer.ts';
import { keyIn } from '../../../runtime/cache/key.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { apps, builds } from '../../../runtime/services/cluster/kinds.ts';
import { causesOf } from '../../../runtime/step/derive.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('incremental attention');

const drawnCause = fc.record({
  of: fc.constantFrom<StoredCause['of']>('Ready', 'Backups'),
  reason: fc.constantFrom('CrashLoop', 'ProjectNotReady', 'FirstPushAwaited'),
  severity: fc.constantFrom<StoredCause['severity']>('failure', 'waiting', 'progress', 'note'),
  on: fc.constantFrom('a', 'b'),
  root: fc.constantFrom(undefined, 'a', 'b'),
  gaveUp: fc.boolean(),
});
const drawn = fc.record({
  is: fc.constantFrom('put', 'put', 'put', 'put', 'old', 'again', 'delete', 'relist', 'read'),
  kind: fc.constantFrom(...kindsWithCauses.map(({ kind }) => kind)),
  name: fc.constantFrom('a', 'b', 'c'),
  app: fc.constantFrom('a', 'b'),
  currentBuild: fc.constantFrom('a', 'b', 'c', ''),
  enabled: fc.constantFrom(true, true, true, false),
  phase: fc.constantFrom('Failed', 'Running'),
  causes: fc.array(drawnCause, { maxLength: 2 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const named = (kind: string, name: string) => ({ kind, name, namespace: 'core-system' });

const objectOf = (one: Drawn, version: number, uid: string): KubeObject =>
  ({
    kind: one.kind,
    metadata: { name: one.name, uid, resourceVersion: `${version}` },
    spec: {
      project: 'shop',
      environment: 'production',
      app: one.app,
      ...(one.kind === apps.kind ? { deploy: { enabled: one.enabled } } : {}),
    },
    status: {
      phase: one.phase,
      currentBuild: one.currentBuild,
      causes: one.causes.map(({ on, root, gaveUp, ...fields }) => ({
        ...fields,
        message: 'it hangs',
        since: '2026-01-01T00:00:00Z',
        on: named('Deployment', on),
        ...(root === undefined ? {} : { root: { ...named('Secret', root), reason: 'SecretMissing' } }),
        ...(gaveUp ? { gaveUp } : {}),
      })),
    },
  }) as KubeObject;

/** Caches of the kinds with causes without a cluster, of which a spec says what is reported. */
function cachesKnown() {
  const indexers = new Map(kindsWithCauses.map(({ kind }) => [kind, makeIndexer<KubeObject>([])]));
  const indexerOf = (kind: string) => indexers.get(kind) ?? makeIndexer<KubeObject>([]);
  let version = 10;
  const get = ({ kind }: Resource, name: string) => indexerOf(kind).get(keyIn('', name));
  const of = (resource: Resource) => ({
    get: (name: string) => get(resource, name),
    list: () => indexerOf(resource.kind).list(),
    onChange: indexerOf(resource.kind).onChange,
  });
  return {
    caches: { of, get } as unknown as Pick<Caches, 'of' | 'get'>,
    report: (one: Drawn): void => {
      version += 1;
      const indexer = indexerOf(one.kind);
      const uid = indexer.get(keyIn('', one.name))?.metadata.uid ?? `${one.name} ${version}`;
      if (one.is === 'put') indexer.put(objectOf(one, version, uid), 'reported');
      else if (one.is === 'old') indexer.put(objectOf(one, version - 5, uid), 'reported');
      else if (one.is === 'again') indexer.put(objectOf(one, version, `${one.name} ${version}`), 'reported');
      else if (one.is === 'delete') indexer.forget(keyIn('', one.name), `${version}`);
      else if (one.is === 'relist') forgetAllBut(indexer, new Set([keyIn('', one.name)]), `${version}`);
    },
    /** Every concern of all kinds; of builds those of the current ones. */
    concerns: (): readonly Concern[] =>
      kindsWithCauses.flatMap((resource) =>
        indexerOf(resource.kind)
          .list()
          .filter(({ metadata: { name }, spec }: KubeObject & { readonly spec?: { readonly app?: string } }) => {
            if (resource !== builds) return true;
            const app = get(apps, spec?.app ?? '') as
              { readonly status?: { readonly currentBuild?: string } } | undefined;
            return app?.status?.currentBuild === name;
          })
          .flatMap((object) => causesOf(object).map((cause) => ({ object: concernedOf(resource, object), cause }))),
      ),
  };
}

const counts = ({ object, cause }: Concern): boolean => object.state !== 'draft' && isConcern(cause);

function scratch(concerns: readonly Concern[]): readonly Attention[] {
  const wanted = concerns.filter(counts);
  const keys = new Set(wanted.map(({ cause }) => attentionKey(cause)));
  return [...keys]
    .map((key) =>
      attentionOf(
        key,
        wanted.filter(({ cause }) => attentionKey(cause) === key),
      ),
    )
    .filter((item) => item !== null)
    .toSorted(byAttention);
}

const told = (items: readonly Attention[]) =>
  items.map(({ id, word, reported: { object }, others }) => [id, word, object.kind, object.name, others.length]);

spec('incremental items equal those of all objects after any changes', () => {
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 40 }), (changes) => {
      const { caches, report, concerns } = cachesKnown();
      const groups = attentionGroups(caches);
      const items = () =>
        [...groups()]
          .map(itemOf)
          .filter((item) => item !== null)
          .toSorted(byAttention);
      for (const one of changes) {
        report(one);
        if (one.is === 'read') assert.equal(told(items()), told(scratch(concerns())));
      }
      assert.equal(told(items()), told(scratch(concerns())));
      const kept = [...groups()].flatMap((group) => [...group.concerns.values()].flat());
      assert.is(kept.length, concerns().filter(counts).length);
    }),
    { numRuns: 200 },
  );
});

spec.run();
