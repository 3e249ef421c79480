import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import * as assert from 'uvu/assert';
import { parseAllDocuments } from 'yaml';
import { type Json, textAt } from '../../../runtime/embedded/api/json.ts';
import { builtIn } from '../../../runtime/embedded/api/kinds/builtIn.ts';
import { groupVersion } from '../../../runtime/embedded/api/kinds/type.ts';
import { noKubectl } from '../../support/kubectl.ts';
import { root } from '../../support/product.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { started } from './started.ts';

const install = suite('install on the API');
const check = unless(install, noKubectl());

function pathOf(object: Json): string {
  const type = builtIn.find(
    (one) => one.kind === object['kind'] && groupVersion(one) === (object['apiVersion'] as string),
  );
  if (!type) throw new Error(`no ${textAt(object, 'kind')} of ${textAt(object, 'apiVersion')}`);
  const base = type.group === '' ? '/api/v1' : `/apis/${groupVersion(type)}`;
  const namespace = textAt(object, 'metadata', 'namespace');
  return `${base}${type.namespaced ? `/namespaces/${namespace}` : ''}/${type.plural}`;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNamed = (value: unknown) => isObject(value) && 'name' in value;

/** Paths at which what is stored is not what was given, so that an unchanged file would be written again and again. */
function rewritten(given: unknown, stored: unknown, path: string): readonly string[] {
  if (isObject(given))
    return Object.entries(given).flatMap(([key, value]) =>
      isObject(stored) && key in stored ? rewritten(value, stored[key], `${path}.${key}`) : [`${path}.${key}`],
    );
  // Lists of what has a name are merged by it; all others are replaced as a whole, with the defaults inside them.
  if (Array.isArray(given) && Array.isArray(stored) && given.length === stored.length && given.every(isNamed))
    return given.flatMap((one, index) => rewritten(one, stored[index], `${path}[${index}]`));
  return isDeepStrictEqual(given, stored) ? [] : [path];
}

check(
  'every object of `kubectl kustomize crds/install` is accepted, strictly and without a warning, and stored as it is',
  async () => {
    const text = execFileSync('kubectl', ['kustomize', 'crds/install'], { cwd: root, encoding: 'utf8' });
    const objects = parseAllDocuments(text).map((one) => one.toJS() as Json);
    assert.ok(objects.length > 30, `${objects.length} objects`);
    const api = await started();
    try {
      // As kubectl does it: namespaces before what is in them.
      const inOrder = [...objects].sort(
        (a, b) => Number(b['kind'] === 'Namespace') - Number(a['kind'] === 'Namespace'),
      );
      for (const body of inOrder) {
        const name = `${textAt(body, 'kind')} ${textAt(body, 'metadata', 'name')}`;
        const path = `${pathOf(body)}/${textAt(body, 'metadata', 'name')}?fieldManager=spec&fieldValidation=Strict`;
        const made = await api.send('PATCH', path, { body, type: 'application/apply-patch+yaml' });
        assert.ok([200, 201].includes(made.code), `${name}: ${textAt(made.body, 'message')}`);
        assert.is(made.warning, '', name);
        assert.equal(rewritten(body, made.body, ''), [], name);
      }
    } finally {
      await api.end();
    }
  },
);

install.run();
