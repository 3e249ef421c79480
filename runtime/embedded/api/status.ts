import type { Bucket } from '../store.ts';
import type { Json } from './json.ts';

/** The field of a refused object and what is wrong with it. */
export interface Cause {
  readonly reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueNotFound'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueForbidden'
    | 'FieldValueTypeInvalid';
  readonly message: string;
  readonly field: string;
}

/** The answer of the API to a request it does not do: a Kubernetes `Status`. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: object;
  readonly status: 'Failure' | 'Success';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: Json;
  readonly code?: number;
}

/** A refusal on its way to the client. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly body: Status & { readonly code: number };

  constructor(code: number, reason: string, message: string, details?: Json) {
    super(message);
    const why = reason === '' ? {} : { reason };
    const more = details === undefined ? {} : { details };
    this.body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, ...why, ...more, code };
  }

  /** The same refusal with the metadata of the list that was asked for. */
  about(metadata: Json): StatusError {
    const { code, reason = '', message = '', details } = this.body;
    const error = new StatusError(code, reason, message, details);
    return Object.assign(error, { body: { ...error.body, metadata } });
  }
}

interface Resource {
  readonly group: string;
  readonly plural: string;
}

/** The group and the plural that a bucket is named after. */
export function resourceOf(bucket: Bucket): Resource {
  const slash = bucket.indexOf('/');
  return { group: bucket.slice(0, slash), plural: bucket.slice(slash + 1) };
}

const qualified = ({ group, plural }: Resource) => (group === '' ? plural : `${plural}.${group}`);
const details = ({ group, plural }: Resource, name: string) => ({
  ...(name !== '' && { name }),
  ...(group !== '' && { group }),
  kind: plural,
});

export const notFound = (resource: Resource, name: string) =>
  new StatusError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, details(resource, name));

export const alreadyExists = (resource: Resource, name: string) =>
  new StatusError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, details(resource, name));

export const conflict = (resource: Resource, name: string, why: string) =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    details(resource, name),
  );

export const modified = (resource: Resource, name: string) =>
  conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

export const forbidden = (resource: Resource, name: string, why: string) =>
  new StatusError(403, 'Forbidden', `${qualified(resource)} "${name}" is forbidden: ${why}`, details(resource, name));

/** A refusal of a request that may name no object, or no resource at all. */
export function forbiddenTo({ name, ...resource }: Resource & { readonly name: string }, why: string): StatusError {
  const { group, plural } = resource;
  const about = plural === '' ? '' : `${qualified(resource)} ${name === '' ? '' : `${JSON.stringify(name)} `}is `;
  return new StatusError(403, 'Forbidden', `${about}forbidden: ${why}`, {
    ...(name !== '' && plural !== '' && { name }),
    ...(group !== '' && { group }),
    ...(plural !== '' && { kind: plural }),
  });
}

/** Faults listed in one response: nobody reads more, and all those of a large object are many times its size. */
export const mostFaults = 100;

/** Several faults of one object in one answer, as `Kind.group "name" is invalid: …`. */
export function invalid(group: string, kind: string, name: string, faults: readonly Cause[]): StatusError {
  const causes = faults.slice(0, mostFaults);
  const more = faults.length > causes.length ? [`and ${faults.length - causes.length} more`] : [];
  // A duplicate fault is listed twice, but named once in the message.
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`)), ...more];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${list}`, {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    ...(kind !== '' && { kind }),
    causes,
  });
}

export const badRequest = (why: string) => new StatusError(400, 'BadRequest', why);
export const unauthorized = () => new StatusError(401, 'Unauthorized', 'Unauthorized');

/** The 404 of a path that is not part of the API: plain text. */
export class NoSuchPath extends StatusError {
  constructor() {
    super(404, 'NotFound', '404 page not found\n');
  }
}
export const noSuchPath = () => new NoSuchPath();
export const methodNotAllowed = () =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
export const notAcceptable = (accepted: readonly string[]) =>
  new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);
export const unsupportedMediaType = (accepted: readonly string[]) =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
export const tooLarge = (limit: number) =>
  new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
export const tooManyStreams = () =>
  new StatusError(429, 'TooManyRequests', 'too many open streams', { retryAfterSeconds: 1 });
export const tooManyRequests = () =>
  new StatusError(429, 'TooManyRequests', 'Too many requests, please try again later.', { retryAfterSeconds: 1 });
export const expired = (why: string) => new StatusError(410, 'Expired', why);
/** A page of a list that can no longer be shown as the pages before it; the token goes on with what there is now. */
export const pageExpired = (token: string) =>
  expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  ).about({ continue: token });
export const tooNew = (asked: number, current: number) =>
  new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
export const internal = (why: string) => new StatusError(500, 'InternalError', `Internal error occurred: ${why}`);
export const noStorage = (why: string) =>
  new StatusError(507, 'InsufficientStorage', `the write was not stored: ${why}`);
