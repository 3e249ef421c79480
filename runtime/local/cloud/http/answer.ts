import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Bodies } from '../bodies.ts';
import type { CloudModel } from '../model.ts';
import { Refusal } from '../refusal.ts';
import type { Key } from '../state.ts';
import type { Signed } from './signature.ts';
import { type Xml, xmlText } from './xml.ts';

const s3Namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** One request to S3, taken apart. */
export interface S3Request {
  readonly model: CloudModel;
  readonly bodies: Bodies;
  readonly request: IncomingMessage;
  readonly signed: Signed;
  readonly caller: Key;
  readonly bucket: string;
  readonly key: string;
  /** The query, without the signature of a presigned request. */
  readonly query: ReadonlyMap<string, string>;
  /** Headers, with those that a presigned request has in its query. */
  readonly headers: IncomingHttpHeaders;
}

/** The response, sent once the changes of a request are on the disk. */
export interface Answer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | AsyncIterable<Uint8Array>;
}

export const xmlAnswer = (xml: Xml, headers: OutgoingHttpHeaders = {}): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/xml', ...headers },
  body: xmlText(xml, s3Namespace),
});

/** A refusal as S3 returns it; IAM wraps it in an element of its own. */
export function refusalAnswer(error: unknown, isIam: boolean): Answer {
  const { status, code, message } =
    error instanceof Refusal ? error : new Refusal(500, 'InternalError', 'The cloud failed');
  const xml: Xml = ['Error', ['Code', code], ['Message', message], ['RequestId', 'local']];
  // Clients recognise an error by a root without a namespace.
  const body = isIam ? xmlText(['ErrorResponse', xml, ['RequestId', 'local']], s3Namespace) : xmlText(xml);
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

export const quoted = (etag: string): string => `"${etag}"`;

/** The version header, in a versioned bucket. */
export const versionHeader = (id: string, name = 'x-amz-version-id'): OutgoingHttpHeaders =>
  id === 'null' ? {} : { [name]: id };
