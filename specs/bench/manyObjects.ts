import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { logLine } from '../../runtime/services/log.ts';
import { openDisk } from '../../runtime/embedded/api/store/disk.ts';
import { createStore } from '../../runtime/embedded/api/store/store.ts';

/** What a start over many objects takes, and what each of them takes in memory. */
export interface ManyObjectsFigures {
  readonly loadMs: number;
  /** What it takes to read the same texts as JSON and nothing else. */
  readonly parseMs: number;
  readonly jsonBytes: number;
  /** What an object takes beyond its own JSON. */
  readonly beyondBytes: number;
}

const objects = 100_000;

/** A pod as it is stored, with what its creator and its node manage of it. */
function podText(number: number): string {
  const name = `web-${String(number).padStart(6, '0')}`;
  const at = new Date(Date.UTC(2027, 0, 1) + number * 1_000).toISOString().replace('.000', '');
  const managed = (manager: string, fieldsV1: object, subresource?: string) => ({
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: at,
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource !== undefined && { subresource }),
  });
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: `team-${number % 50}`,
      uid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      resourceVersion: String(number + 1),
      creationTimestamp: at,
      labels: { app: `web-${number % 500}`, tier: 'front' },
      managedFields: [
        managed('kubectl', {
          'f:metadata': { 'f:labels': { '.': {}, 'f:app': {}, 'f:tier': {} } },
          'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {}, 'f:name': {} } } },
        }),
        managed('kubelet', { 'f:status': { 'f:phase': {}, 'f:podIP': {}, 'f:startTime': {} } }, 'status'),
      ],
    },
    spec: {
      containers: [{ name: 'web', image: `registry.local/web:${number % 20}`, imagePullPolicy: 'IfNotPresent' }],
      restartPolicy: 'Always',
      nodeName: `node-${number % 30}`,
    },
    status: { phase: 'Running', podIP: `10.0.${number >> 8}.${number & 255}`, startTime: at },
  });
}

/** A store over a data directory that has many objects. */
export async function manyObjects(): Promise<ManyObjectsFigures> {
  const dir = mkdtempSync(join(tmpdir(), 'core-many-'));
  const jsonBytes = await fill(dir);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const memory = () => {
    for (let turn = 0; turn < 3; turn += 1) collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = memory();
  const start = performance.now();
  const store = createStore(openDisk(dir), logLine);
  const loadMs = performance.now() - start;
  const beyondBytes = (memory() - before) / objects - jsonBytes;
  if (store.list('/pods').length !== objects) throw new Error('not every object was loaded');
  await store.close();
  rmSync(dir, { recursive: true });
  const parseMs = timeToParse();
  return { loadMs, parseMs, jsonBytes, beyondBytes };
}

function timeToParse(): number {
  const texts = Array.from({ length: objects }, (_, number) => podText(number));
  const kept: unknown[] = [];
  const start = performance.now();
  for (const text of texts) kept.push(JSON.parse(text));
  return performance.now() - start;
}

async function fill(dir: string): Promise<number> {
  const disk = openDisk(dir);
  const each = 10_000;
  let bytes = 0;
  for (let from = 0; from < objects; from += each) {
    const entries = Array.from({ length: each }, (_, index) => {
      const text = podText(from + index);
      const { metadata } = JSON.parse(text) as { readonly metadata: { readonly name: string; namespace: string } };
      bytes += Buffer.byteLength(text);
      return { place: { bucket: '/pods', namespace: metadata.namespace, name: metadata.name }, text };
    });
    await disk.write(entries, from + each);
  }
  await disk.close();
  return bytes / objects;
}
