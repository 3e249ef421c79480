import { refused, Refusal } from '../refusal.ts';
import type { S3Request } from './answer.ts';

interface Stated {
  readonly etag: string;
  readonly modified: number;
}

type Name = 'if-match' | 'if-none-match' | 'if-modified-since' | 'if-unmodified-since';
const prefixed = 'x-amz-copy-source-';

/** Whether a list of entity tags, quoted or not, names this one. */
const names = (list: string, etag: string): boolean =>
  list
    .split(',')
    .map((one) => one.trim().replace(/^W\//, '').replaceAll('"', ''))
    .some((one) => one === '*' || one === etag);

/** Times of headers have whole seconds. */
const isAfter = ({ modified }: Stated, time: string): boolean =>
  Math.floor(modified / 1_000) * 1_000 > Date.parse(time);

const failed = () => new Refusal(412, 'PreconditionFailed', 'A condition of the request does not hold');

/** The result of the conditions of a read: an entity tag outranks a time. */
function outcomeOf(headerOf: (name: Name) => string | undefined, version: Stated): 'failed' | 'unchanged' | 'holds' {
  const [match, unmodified] = [headerOf('if-match'), headerOf('if-unmodified-since')];
  const [none, modified] = [headerOf('if-none-match'), headerOf('if-modified-since')];
  if (match === undefined ? unmodified !== undefined && isAfter(version, unmodified) : !names(match, version.etag))
    return 'failed';
  if (none === undefined ? modified !== undefined && !isAfter(version, modified) : names(none, version.etag))
    return 'unchanged';
  return 'holds';
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Whether a reader already has this version (304); refuses failed preconditions (412). */
export function isUnchanged({ headers }: S3Request, version: Stated): boolean {
  const outcome = outcomeOf((name) => textOf(headers[name]), version);
  if (outcome === 'failed') throw failed();
  return outcome === 'unchanged';
}

/** Refuses a copy whose source preconditions fail. */
export function checkSource({ headers }: S3Request, version: Stated): void {
  if (outcomeOf((name) => textOf(headers[prefixed + name]), version) !== 'holds') throw failed();
}

/** Refuses a write or deletion whose preconditions on the key fail. */
export function checkTarget({ headers, model, bucket, key }: S3Request): void {
  const newest = model.state.buckets.get(bucket)?.versions.get(key)?.at(-1);
  const standing = newest === undefined || newest.body === null ? null : newest;
  const { 'if-none-match': none, 'if-match': match } = headers;
  if (none !== undefined && none !== '*') throw refused.notServed('If-None-Match with an entity tag, on a write');
  const isRight =
    (none === undefined || standing === null) && (match === undefined || names(match, standing?.etag ?? ''));
  if (!isRight) throw failed();
}

/** Whether a range applies: not when it was requested of another version. */
export function isRangeOf({ headers }: S3Request, version: Stated): boolean {
  const condition = textOf(headers['if-range']);
  if (condition === undefined) return true;
  return condition.includes('"') ? names(condition, version.etag) : !isAfter(version, condition);
}
