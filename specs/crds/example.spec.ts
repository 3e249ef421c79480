import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse, parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../crds/kind.ts';
import { noKubectl } from '../support/kubectl.ts';
import { root } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { faultsOf } from './schemaChecks.ts';

const spec = suite('the example for Kustomize');
const test = unless(spec, noKubectl());
const folder = join(root, 'crds/gitops/example');
const overlays = ['staging', 'production'] as const;

const textOf = (path: string) => readFileSync(join(folder, path), 'utf8');
const built = (overlay: string) =>
  parseAllDocuments(execFileSync('kubectl', ['kustomize', join(folder, overlay)], { encoding: 'utf8' })).map(
    (document) => document.toJS() as KubeObject & { readonly kind: string; readonly spec: object },
  );

const named = readdirSync(join(folder, 'base')).filter((name) => !/^(kustomization|fields)\.yaml$/.test(name));

for (const name of named)
  spec(`base/${name} is valid by the schema that it names`, () => {
    const text = textOf(`base/${name}`);
    const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    assert.is(path, `../../../schemas/core.platform/${basename(path)}`);
    assert.equal(faultsOf(basename(path), parse(text)), []);
  });

spec('the base lists each of its files', () => {
  const { resources } = parse(textOf('base/kustomization.yaml')) as { readonly resources: readonly string[] };
  assert.equal([...resources].sort(), named.sort());
});

for (const overlay of overlays) {
  test(`${overlay} is a project, an account, a database, a bucket and a service, all valid`, () => {
    const objects = built(overlay);
    assert.equal(
      objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`),
      [
        `CoreApp core-system library-web-${overlay}`,
        `CoreCloudConnection core-system library-cloud-${overlay}`,
        `CoreDatabase core-system library-loans-${overlay}`,
        `CoreObjectStore core-system library-covers-${overlay}`,
        `CoreProject core-system library-${overlay}`,
      ],
    );
    for (const object of objects) {
      assert.equal(faultsOf('all.json', object), []);
      assert.equal(object.metadata.labels, { 'app.kubernetes.io/part-of': `library-${overlay}` });
    }
  });

  test(`${overlay} names its own objects everywhere, and no other's`, () => {
    const texts = JSON.stringify(built(overlay).map((object) => object.spec)).match(/"(library|core-backup)[\w-]*"/g);
    assert.ok(texts && texts.length >= 7, String(texts));
    assert.equal(
      texts.filter((text) => !text.endsWith(`-${overlay}"`)),
      [],
    );
  });
}

test('each overlay has its image and its number of copies', () => {
  const services = overlays.map((overlay) => built(overlay).find(({ kind }) => kind === 'CoreApp')?.spec);
  assert.equal(
    services.map((service) => {
      const { source, replicas } = service as { source: { image: string }; replicas: number };
      return [source.image, replicas];
    }),
    [
      ['registry.example.com/library/web:1.1.0', 1],
      ['registry.example.com/library/web:1.0.0', 2],
    ],
  );
});

spec.run();
