import * as assert from 'uvu/assert';
import { typeMeta } from '../../../crds/kind.ts';
import { coreBuild } from '../../../crds/coreBuild.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { statusPatch } from '../../../runtime/step/status.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the patch of a status');
const withStatus = (status: object): KubeObject =>
  ({ ...typeMeta(coreBuild), metadata: { name: 'a' }, status }) as KubeObject;
const patch = (from: object, to: object) => statusPatch(withStatus(from), withStatus(to));

spec('a status patch contains only differences, and none is sent without a difference', () => {
  assert.is(patch({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }), null);
  assert.equal(patch({ a: 1, b: 2 }, { a: 1, b: 3 }), { b: 3 });
});

spec('a removed field is set to null at any depth, because a merge would keep it', () => {
  assert.equal(patch({ a: 1 }, {}), { a: null });
  assert.equal(patch({ answer: { is: 'answered', code: 302 } }, { answer: { is: 'refused', refusal: 'ip' } }), {
    answer: { is: 'refused', code: null, refusal: 'ip' },
  });
});

spec('a list is sent whole, and so is an object in place of another value', () => {
  assert.equal(patch({ a: [{ b: 1 }] }, { a: [{ c: 1 }] }), { a: [{ c: 1 }] });
  assert.equal(patch({ a: 'text' }, { a: { b: 1 } }), { a: { b: 1 } });
});

spec.run();
