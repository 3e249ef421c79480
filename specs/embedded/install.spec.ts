import { execFileSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { parseAllDocuments } from 'yaml';
import { type Json, textAt } from '../../runtime/embedded/api/json.ts';
import { builtIn } from '../../runtime/embedded/api/kinds/builtIn.ts';
import { groupVersion } from '../../runtime/embedded/api/kinds/type.ts';
import { noKubectl } from '../support/kubectl.ts';
import { root } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
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

check('every object of `kubectl kustomize crds/install` is accepted, strictly and without a warning', async () => {
  const text = execFileSync('kubectl', ['kustomize', 'crds/install'], { cwd: root, encoding: 'utf8' });
  const objects = parseAllDocuments(text).map((one) => one.toJS() as Json);
  assert.ok(objects.length > 30, `${objects.length} objects`);
  const api = await started();
  try {
    // As kubectl does it: namespaces before what is in them.
    const inOrder = [...objects].sort((a, b) => Number(b['kind'] === 'Namespace') - Number(a['kind'] === 'Namespace'));
    for (const body of inOrder) {
      const name = `${textAt(body, 'kind')} ${textAt(body, 'metadata', 'name')}`;
      const path = `${pathOf(body)}/${textAt(body, 'metadata', 'name')}?fieldManager=spec&fieldValidation=Strict`;
      const made = await api.send('PATCH', path, { body, type: 'application/apply-patch+yaml' });
      assert.ok([200, 201].includes(made.code), `${name}: ${textAt(made.body, 'message')}`);
      assert.is(made.warning, '', name);
    }
  } finally {
    await api.end();
  }
});

install.run();
