import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { addressOf, partsOf, plainUrl } from '../../../runtime/embedded/api/url.ts';
import { duplicateFields } from '../../../runtime/embedded/api/duplicates.ts';
import { fieldRequirements } from '../../../runtime/embedded/api/fieldSelector.ts';
import { readJson } from '../../../runtime/embedded/api/jsonText.ts';
import { labelRequirements } from '../../../runtime/embedded/api/labelSelector.ts';
import { admissionPolicyBinding } from '../../../runtime/embedded/api/kinds/rules/admissionPolicy.ts';
import { ephemeralFaults } from '../../../runtime/embedded/api/kinds/rules/ephemeral.ts';
import { schemaFaults } from '../../../runtime/embedded/api/kinds/declared/structural.ts';
import { conflictError } from '../../../runtime/embedded/api/managedFields/conflict.ts';
import { decodeEntries, encodeEntries } from '../../../runtime/embedded/api/managedFields/entries.ts';
import { emptySet } from '../../../runtime/embedded/api/managedFields/fieldSet.ts';
import { afterApply } from '../../../runtime/embedded/api/managedFields/ownership.ts';
import { jsonPatch } from '../../../runtime/embedded/api/patch/jsonPatch.ts';
import { mergePatch } from '../../../runtime/embedded/api/patch/merge.ts';
import { strategicMerge } from '../../../runtime/embedded/api/patch/strategic.ts';
import { decodeObject } from '../../../runtime/embedded/api/protobuf/decode.ts';
import { builtInSchema } from '../../../runtime/embedded/api/schema/builtIn.ts';
import { StatusError } from '../../../runtime/embedded/api/status.ts';
import { createWarnings } from '../../../runtime/embedded/api/warnings.ts';
import { readYaml } from '../../../runtime/embedded/api/yaml/read.ts';
import { repeatedName } from '../../../http/request/repeatedName.ts';
import { growthOf, grows } from '../../support/growth.ts';
import { seldom } from '../../support/seldom.ts';
import { times } from '../../support/share.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the time for reading input, in proportion to its length');
const seldomly = seldom(spec, 3);

/** A text that begins, goes on with the same again and again, ends, and closes what it opened as often. */
interface Shape {
  readonly begin: string;
  readonly again: string;
  readonly end: string;
  readonly closes?: string;
}

/** What is repeated may number itself, so that no two are the same. */
function textOf({ begin, again, end, closes = '' }: Shape, bytes: number): string {
  const middle: string[] = [];
  for (let length = 0; length < bytes; length += (middle.at(-1)?.length ?? 0) + closes.length)
    middle.push(again.replaceAll('#', String(middle.length)));
  return `${begin}${middle.join('')}${end}${closes.repeat(middle.length)}`;
}

const shape = (begin: string, again: string, end = '', closes = ''): Shape => ({ begin, again, end, closes });

/** What is read is looked through, as everything that follows does. */
function readThrough(text: string): void {
  const read = readJson(text);
  if (read.why === undefined) JSON.stringify(read.value);
}

/** A refusal is a way to be done with it; anything else that is thrown is not. */
function done(run: () => unknown): void {
  try {
    run();
  } catch (why) {
    if (!(why instanceof StatusError) || why.body.code >= 500) throw why;
  }
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Readers of text, each with tokens that mean something to it. */
interface Reader {
  readonly reads: (text: string) => unknown;
  readonly tokens: readonly string[];
  readonly known: readonly Shape[];
  readonly mostBytes: number;
}

const large = 1_500_000;
const jsonTokens = [
  '[',
  ']',
  '{',
  '}',
  '"a"',
  '"a#"',
  ':',
  ',',
  '1',
  '\\',
  '"',
  't',
  'null',
  ' ',
  '"\\u0061":',
  '{"a":',
  '"a":1,',
  '\n',
  '\\"',
];
const yamlTokens = [
  '- ',
  '? ',
  'a: ',
  'k#: ',
  '\n',
  '  ',
  '[',
  ']',
  '{',
  '}',
  ', ',
  '&a ',
  '&a# ',
  '*a',
  '!t ',
  '"',
  "'",
  '\\x',
  '|',
  '#c',
  '%',
  '---',
  '...',
  '<<: ',
  ':',
  '\t',
  'é',
];

const readers: Readonly<Record<string, Reader>> = {
  json: {
    reads: readThrough,
    tokens: jsonTokens,
    known: [
      shape('', '['),
      shape('', '[', '', ']'),
      shape('', '{"a":', '1', '}'),
      shape('', '{"a":'),
      shape('"', '\\"'),
      shape('[', '"\\\\",'),
      shape('', '"t'),
      shape('', 't'),
      shape('{', '"k#":1,', '"z":1}'),
    ],
    mostBytes: large,
  },
  'fields given twice': {
    reads: (text) => duplicateFields(text),
    tokens: ['[', ']', '{', '}', '"a":', '"b":', '"a#":', ',', '1', '""', '"\\u0061":'],
    known: [
      shape('', '{"abc":1,"abc":'),
      shape('', '{"a":1,"a":1,"b":'),
      shape('{', '"a":1,', '"a":1}'),
      shape('{', '"k#":1,', '"a":1}'),
      shape('{"x":{"x":', '{"a":1,"a":2},"x":', '1}}'),
      shape('[', '[{"a":1,"a":2}],', '1]'),
      shape('"', '\\\\'),
    ],
    mostBytes: 128_000,
  },
  yaml: {
    reads: (text) => readYaml(text),
    tokens: yamlTokens,
    known: [
      shape('"', '\\x', '"'),
      shape('', '&a '),
      shape('', '!t '),
      shape('', '['),
      shape('', '[', '', ']'),
      shape('', '- '),
      shape('[', ','),
      shape('', 'k#: 1\n'),
      shape('', 'a: 1\n'),
      shape('- &a 1\n', '- *a\n'),
      shape('', '- &a# 1\n- *a#\n'),
      shape('a: &a {x: 1}\nb:\n', '  <<: *a\n'),
      shape('', '#\n'),
    ],
    mostBytes: 256_000,
  },
  'JSON that names nothing twice': {
    reads: (text) => (isJsonText(text) ? repeatedName(text) : null),
    tokens: ['[', ']', '{', '}', '"a#"', ':', ',', '1', '\\"'],
    known: [shape('{', '"k#":1,', '"z":1}'), shape('"', '\\"', '"'), shape('[', '"\\\\",', '1]')],
    mostBytes: 64_000,
  },
  'label selectors': {
    reads: (text) => labelRequirements(text),
    tokens: ['a', 'a#', '=', ',', ' in (', ')', '!', ' ', 'notin', '/', '.', '-'],
    known: [
      shape('', 'a#=b,', 'a'),
      shape('a in (', 'b,', 'b)'),
      shape('', '(', ''),
      shape('', ' ', 'a'),
      shape('', '!', 'a'),
    ],
    mostBytes: 16_000,
  },
  'field selectors': {
    reads: (text) => fieldRequirements(text, { group: '', kind: 'ConfigMap' }),
    tokens: ['metadata.name', '=', ',', '\\', '!=', 'a', ' '],
    known: [shape('', 'metadata.name=a,'), shape('metadata.name=', '\\\\'), shape('', '\\')],
    mostBytes: 16_000,
  },
  addresses: {
    reads: (text) => partsOf(addressOf(plainUrl(text)).path),
    tokens: ['/api', '/apis', '/watch', '/', '%41', '%', '?', '&', 'namespaces'],
    known: [shape('/api/v1/watch/', 'a/', ''), shape('/', '/', ''), shape('/api/v1/', '%41', '')],
    mostBytes: 16_000,
  },
  warnings: {
    reads: (text) => {
      const warnings = createWarnings();
      for (let at = 0; at < text.length; at += 40_000) warnings.add(text.slice(at, at + 40_000));
      return warnings.headers();
    },
    tokens: [' ', 'a', '"', '\\', 'é', '😀', 'a#'],
    known: [shape('', 'a# '), shape('', '"'), shape('', '😀')],
    mostBytes: large,
  },
};

const growthOfText = ({ reads, mostBytes }: Reader, of: Shape): number =>
  growthOf((bytes) => {
    const text = textOf(of, bytes);
    return () => done(() => reads(text));
  }, mostBytes);

for (const [name, reader] of Object.entries(readers)) {
  seldomly(`${name}: shapes that took too long once`, () => {
    for (const known of reader.known) {
      const growth = growthOfText(reader, known);
      assert.not(grows(growth), `${JSON.stringify(known)}: ${growth.toFixed(1)} times for four times the bytes`);
    }
  });

  seldomly(`${name}: shapes at random`, () => {
    const part = (most: number) =>
      fc.array(fc.constantFrom(...reader.tokens), { minLength: 0, maxLength: most }).map((tokens) => tokens.join(''));
    fc.assert(
      fc.property(part(3), part(4), part(2), (begin, again, end) => {
        fc.pre(again !== '');
        const growth = growthOfText(reader, { begin, again, end });
        assert.not(grows(growth), `${growth.toFixed(1)} times for four times the bytes`);
      }),
      { numRuns: times(12, 4), endOnFailure: true },
    );
  });
}

/** Values that grow, for what is done with a body once it is read. */
const storedPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1', creationTimestamp: '2027-01-01T00:00:00Z' },
};

const grown: Readonly<Record<string, (size: number) => () => unknown>> = {
  'adds of a JSON patch to a list': (size) => {
    const operations = Array.from({ length: size }, () => ({ op: 'add', path: '/l/-', value: 1 }));
    return () => jsonPatch({ l: [] }, operations);
  },
  'adds of a JSON patch to an object': (size) => {
    const operations = Array.from({ length: size }, (_, index) => ({ op: 'add', path: `/d/k${index}`, value: 1 }));
    return () => jsonPatch({ d: {} }, operations);
  },
  'a JSON patch that goes deep': (size) => {
    const path = '/a'.repeat(size);
    const nested = JSON.parse(`${'{"a":'.repeat(size)}1${'}'.repeat(size)}`) as unknown;
    return () => jsonPatch(nested, [{ op: 'replace', path, value: 2 }]);
  },
  'a merge patch': (size) => {
    const patch = { d: Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, 1])) };
    return () => mergePatch(patch, patch);
  },
  'a strategic merge of lists by key': (size) => {
    const env = Array.from({ length: size }, (_, index) => ({ name: `e${index}`, value: 'x' }));
    const pod = { spec: { containers: [{ name: 'a', env }] } };
    return () => strategicMerge(pod, pod, builtInSchema('', 'Pod'));
  },
  'a strategic merge that deletes': (size) => {
    const containers = (more: object) => ({
      spec: { containers: Array.from({ length: size }, (_, index) => ({ name: `c${index}`, ...more })) },
    });
    const [pod, patch] = [containers({}), containers({ $patch: 'delete' })];
    return () => strategicMerge(pod, patch, builtInSchema('', 'Pod'));
  },
  'a strategic merge of plain lists': (size) => {
    const finalizers = Array.from({ length: size }, (_, index) => `x/f${index}`);
    const patch = { metadata: { finalizers, '$deleteFromPrimitiveList/finalizers': finalizers } };
    return () => strategicMerge({ metadata: { finalizers } }, patch, builtInSchema('', 'Pod'));
  },
  'the order of a strategic merge': (size) => {
    const finalizers = Array.from({ length: size }, (_, index) => `x/f${index}`);
    const patch = { metadata: { finalizers, '$setElementOrder/finalizers': finalizers.toReversed() } };
    return () => strategicMerge({ metadata: { finalizers } }, patch, builtInSchema('', 'Pod'));
  },
  'an apply over what others applied': (size) => {
    const keys = Array.from({ length: size }, (_, index) => `k${index}`);
    const object = (value: string) => ({ data: Object.fromEntries(keys.map((key) => [key, value])) });
    const write = (name: string) => ({
      typed: { schema: null },
      manager: { name, operation: 'Apply', apiVersion: 'v1', subresource: '' } as const,
      now: '',
      ignored: emptySet,
    });
    return () => {
      const first = afterApply(write('one'), [], {}, object('a'));
      const second = afterApply(write('two'), first.owners, first.object, object('b'));
      const { owners } = afterApply(write('two'), second.owners, second.object, {});
      return [encodeEntries(owners), conflictError(second.conflicts)];
    };
  },
  'faults of a schema': (size) => {
    const properties = Object.fromEntries(
      Array.from({ length: size }, (_, index) => [`k${index}`, { type: 'x', 'x-kubernetes-validations': [] }]),
    );
    return () => schemaFaults({ type: 'object', properties }, 'schema');
  },
  'actions of a policy’s binding': (size) => {
    const validationActions = Array.from({ length: size }, (_, index) => `a${index}`);
    const binding = { metadata: { name: 'b' }, spec: { policyName: 'p', validationActions } };
    return () => admissionPolicyBinding.faults?.(binding, undefined);
  },
  'ephemeral containers that stay': (size) => {
    const ephemeralContainers = Array.from({ length: size }, (_, index) => ({ name: `c${index}` }));
    const pod = { ...storedPod, spec: { ephemeralContainers } };
    return () => ephemeralFaults(pod, pod);
  },
  'who manages what': (size) => {
    const entries = Array.from({ length: size / 4 }, (_, index) => ({
      manager: `m${index}`,
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:k${index}`]: {} } },
    }));
    return () => decodeEntries(entries);
  },
};

const mostValues = 28_000;

for (const [name, grow] of Object.entries(grown))
  seldomly(`${name} takes time in proportion to its length`, () => {
    const growth = growthOf((size) => {
      const run = grow(Math.ceil(size / 8));
      return () => done(run);
    }, mostValues * 8);
    assert.not(grows(growth), `${growth.toFixed(1)} times for four times the length`);
  });

const length = (value: number): Buffer =>
  value < 128 ? Buffer.from([value]) : Buffer.concat([Buffer.from([(value & 127) | 128]), length(value >> 7)]);
const field = (number: number, content: Buffer) =>
  Buffer.concat([length((number << 3) | 2), length(content.length), content]);
const config = (object: Buffer) =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from('ConfigMap'))])),
    field(2, object),
  ]);

/** Fields of a ConfigMap or of its metadata, again and again. */
const repeatedField: Readonly<Record<string, (index: number) => Buffer>> = {
  'empty finalizers': () => field(1, field(14, Buffer.alloc(0))),
  labels: (index) =>
    field(1, field(11, Buffer.concat([field(1, Buffer.from(`k${index}`)), field(2, Buffer.from('v'))]))),
  data: (index) => field(2, Buffer.concat([field(1, Buffer.from(`k${index}`)), field(2, Buffer.from('v'))])),
  'unknown fields': () => field(99, Buffer.from('x')),
};

seldomly('protobuf: lists, maps and unknown fields are decoded in time proportional to their length', () => {
  for (const [name, one] of Object.entries(repeatedField)) {
    const growth = growthOf((size) => {
      const fields = Array.from({ length: Math.ceil(size / 8) }, (_, index) => one(index));
      const metadata =
        name === 'empty finalizers' ? [field(1, Buffer.concat(fields.map((each) => each.subarray(2))))] : fields;
      const body = config(Buffer.concat(metadata));
      return () => done(() => decodeObject(body));
    }, 300_000);
    assert.not(grows(growth), `${name}: ${growth.toFixed(1)} times for four times the bytes`);
  }
});

seldomly('protobuf: random bytes are read or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(1, 2, 3), (bytes, number) => {
      done(() => decodeObject(config(field(number, Buffer.from(bytes)))));
      done(() => decodeObject(config(Buffer.from(bytes))));
    }),
    { numRuns: 2_000 },
  );
});

spec.run();
