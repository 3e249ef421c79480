import * as assert from 'uvu/assert';
import { type Node, type Pod } from '../../../../runtime/embedded/nodes/shapes.ts';
import { createPodAddresses, isBeside } from '../../../../runtime/embedded/nodes/podAddresses.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('addresses of pods');
const nodeOf = (podCIDR: string) => ({ metadata: { name: 'one', uid: 'n' }, spec: { podCIDR } }) as unknown as Node;
const podAt = (uid: string, podIP: string) =>
  ({ metadata: { name: uid, uid }, spec: {}, status: { phase: 'Running', podIP } }) as unknown as Pod;
const [here, elsewhere] = ['10.128.0.0/26', '10.128.0.64/26'];

spec('a pod keeps its address, and no other pod gets it', () => {
  const addresses = createPodAddresses();
  const first = addresses.of('a', nodeOf(here));
  assert.is(addresses.of('a', nodeOf(here)), first);
  assert.is.not(addresses.of('b', nodeOf(here)), first);
});

spec('a pod whose range changed gets an address of the new range, despite an old one in its status', () => {
  const addresses = createPodAddresses();
  const before = addresses.of('a', nodeOf(here)) ?? '';
  addresses.put(podAt('a', before));
  const after = addresses.of('a', nodeOf(elsewhere)) ?? '';
  assert.not(isBeside(elsewhere, [after]));
  addresses.put(podAt('a', after));
  assert.is(addresses.of('a', nodeOf(elsewhere)), after);
});

spec('the former address of a pod is given to another pod', () => {
  const addresses = createPodAddresses();
  const small = nodeOf('10.128.0.0/29');
  for (const uid of ['a', 'b', 'c', 'd', 'e']) assert.ok(addresses.of(uid, small));
  assert.is(addresses.of('f', small), undefined);
  const moved = addresses.of('a', nodeOf(elsewhere)) ?? '';
  addresses.put(podAt('a', moved));
  assert.ok(addresses.of('f', small));
});

spec.run();
