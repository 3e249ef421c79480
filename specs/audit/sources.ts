import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryEntry } from '../../crds/kind.ts';

/** The history of one object, wherever it was read. */
export interface Recorded {
  readonly name: string;
  readonly history: readonly HistoryEntry[];
  /** Where it stands, per machine; unknown for an object that is gone. */
  readonly states: Readonly<Record<string, string>>;
  readonly requeueAtMs?: number;
  /** Others of its moves are told elsewhere, or nowhere any more. */
  readonly isPart?: boolean;
}

/** What could not be read as a recording, in one line. */
export class NoRecording extends Error {
  override readonly name = 'NoRecording';
}

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const isMove = (value: unknown): value is HistoryEntry =>
  isJson(value) &&
  typeof value['seq'] === 'number' &&
  ['machine', 'from', 'event', 'to', 'at', 'by'].every((name) => typeof value[name] === 'string');

function historyIn(value: unknown, where: string): readonly HistoryEntry[] {
  if (!Array.isArray(value) || !value.every(isMove))
    throw new NoRecording(`${where} holds moves without seq, machine, from, event, to, at or by`);
  return value;
}

/** Of a line of a journal: the history of an object that is gone. Of a Kubernetes object: its `status.history`. */
function recordedIn(value: unknown, where: string): readonly Recorded[] {
  if (!isJson(value)) throw new NoRecording(`${where} is no object`);
  if (Array.isArray(value['items'])) return value['items'].flatMap((item) => recordedIn(item, where));
  if ('deletedAt' in value)
    return [{ name: String(value['name']), history: historyIn(value['history'], where), states: {} }];
  const { metadata, status } = value as { readonly metadata?: unknown; readonly status?: unknown };
  if (!isJson(metadata)) throw new NoRecording(`${where} is neither a journal nor what kubectl prints with -o json`);
  if (!isJson(status) || !('history' in status)) return [];
  return [{ name: String(metadata['name']), history: historyIn(status['history'], where), states: {} }];
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoRecording(`${where} is no JSON`);
  }
}

/** A journal (`*.ndjson`), or a list as kubectl prints it with -o json. */
function readText(text: string, where: string): readonly Recorded[] {
  if (!where.endsWith('.ndjson')) return recordedIn(parsed(text, where), where);
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    // A crash may have cut the last line short.
    if (line === '' || index === lines.length - 1) return [];
    return recordedIn(parsed(line, `${where}:${index + 1}`), `${where}:${index + 1}`);
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new NoRecording(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads a journal's folder, one of its files, a list that kubectl printed, or `-` for standard input. */
export function readRecordings(path: string): readonly Recorded[] {
  const isFolder = path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return readText(textOf(path), path);
  const files = readdirSync(path).filter((name) => name.endsWith('.ndjson'));
  if (files.length === 0) throw new NoRecording(`${path} holds no journal (*.ndjson)`);
  return files.toSorted().flatMap((name) => readText(textOf(join(path, name)), join(path, name)));
}

/** Who reads a running product. */
export interface Reader {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Their entries are instances of their own, and the API tells nothing of those that are gone. */
const kindsWithEntries: ReadonlySet<unknown> = new Set(['CoreProject']);

/** Reads every machine of a running product by its REST API. */
export async function fetchRecordings({ url, user, password }: Reader): Promise<readonly Recorded[]> {
  const base = url.replace(/\/+$/, '');
  const get = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${base}/api/v1${path}`, { ...init, signal: AbortSignal.timeout(30_000) }).catch(
      (error: unknown) => {
        throw new NoRecording(`${base} does not answer: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
    if (!answer.ok) throw new NoRecording(`${base}/api/v1${path} answered ${answer.status}`);
    return answer;
  };
  const signedIn = await get('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ username: user, password }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const items = async (path: string) => {
    const { items: read } = (await (await get(path, { headers: { cookie } })).json()) as {
      readonly items: readonly Json[];
    };
    return read;
  };
  const machines = await items('/machines');
  const traces = await Promise.all(
    machines.map(async ({ name }) => ({
      machine: String(name),
      read: await items(`/machines/${String(name)}/transitions`),
    })),
  );
  return traces.flatMap(({ machine, read }) =>
    read.map((trace) => ({
      name: String(trace['name']),
      history: historyIn(trace['items'], `${base}: ${String(trace['name'])}`),
      states: { [machine]: String(trace['state']) },
      isPart: kindsWithEntries.has(trace['kind']),
      ...(typeof trace['nextLook'] === 'string' ? { requeueAtMs: Date.parse(trace['nextLook']) } : {}),
    })),
  );
}
