import * as assert from 'uvu/assert';
import { decodeObject } from '../../../runtime/embedded/api/protobuf/decode.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('protobuf');

const bytes = (number: number, value: Buffer | string) => {
  const content = Buffer.from(value);
  return Buffer.concat([length((number << 3) | 2), length(content.length), content]);
};
const varint = (number: number, value: number) => Buffer.concat([length(number << 3), length(value)]);
const length = (value: number): Buffer =>
  value < 128 ? Buffer.from([value]) : Buffer.concat([Buffer.from([(value & 127) | 128]), length(value >> 7)]);
const message = (...fields: readonly Buffer[]) => Buffer.concat(fields);
const envelope = (apiVersion: string, kind: string, object: Buffer) =>
  message(Buffer.from('k8s\0'), bytes(1, message(bytes(1, apiVersion), bytes(2, kind))), bytes(2, object));

spec('an object is read with its maps, lists, times and inlined parts; empty values are left out', () => {
  const port = message(bytes(1, ''), varint(3, 8080));
  const reference = message(bytes(1, message(bytes(1, 'settings'))), varint(2, 1));
  const container = message(bytes(1, 'c'), bytes(6, port), bytes(19, message(bytes(2, reference))));
  const metadata = message(
    bytes(1, 'p'),
    bytes(2, ''),
    bytes(8, message(varint(1, 1_700_000_000))),
    bytes(11, message(bytes(1, 'a'), bytes(2, 'b'))),
    bytes(11, message(bytes(1, 'c'), bytes(2, ''))),
  );
  const pod = message(bytes(1, metadata), bytes(2, message(bytes(2, container), varint(4, 0))), bytes(3, ''));
  assert.equal(decodeObject(envelope('v1', 'Pod', pod)), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', creationTimestamp: '2023-11-14T22:13:20Z', labels: { a: 'b', c: '' } },
    spec: {
      containers: [
        {
          name: 'c',
          ports: [{ containerPort: 8080 }],
          envFrom: [{ configMapRef: { name: 'settings', optional: true } }],
        },
      ],
      terminationGracePeriodSeconds: 0,
    },
  });
});

spec('bytes are decoded to base64, and an IntOrString by its type', () => {
  const secret = message(bytes(1, message(bytes(1, 's'))), bytes(2, message(bytes(1, 'k'), bytes(2, 'v'))));
  assert.equal(decodeObject(envelope('v1', 'Secret', secret))['data'], { k: 'dg==' });
  const port = (target: Buffer) => message(varint(3, 80), bytes(4, target));
  const ports = [port(message(varint(1, 0), varint(2, 90))), port(message(varint(1, 1), bytes(3, 'web')))];
  const service = message(bytes(2, message(...ports.map((one) => bytes(1, one)))));
  assert.equal(decodeObject(envelope('v1', 'Service', service))['spec'], {
    ports: [
      { port: 80, targetPort: 90 },
      { port: 80, targetPort: 'web' },
    ],
  });
});

spec('a truncated message, other bytes and an unknown kind are refused', () => {
  assert.throws(() => decodeObject(Buffer.from('{}')), /does not begin with k8s/);
  const whole = envelope('v1', 'Pod', bytes(1, bytes(1, 'p')));
  assert.throws(() => decodeObject(whole.subarray(0, -1)), /ends early/);
  assert.throws(() => decodeObject(envelope('x.org/v1', 'Thing', Buffer.alloc(0))), /send it as JSON/);
});

spec.run();
