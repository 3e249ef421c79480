import { Refusal } from '../refusal.ts';
import { bodyOf } from './body.ts';
import { listObjects, listUploads, listVersions } from './lists.ts';
import { deleteObjects, objectRequest } from './objects.ts';
import { type Answer, type S3Request, xmlAnswer } from './answer.ts';
import { decoded, partsOf, queryOf } from './signature.ts';
import { textIn, type Xml } from './xml.ts';

/** The part of a request that its body does not change. */
export function s3Request(given: Pick<S3Request, 'model' | 'bodies' | 'request' | 'signed'>): S3Request {
  const [path, query] = partsOf(given.request.url ?? '/');
  const [, bucket = '', ...key] = path.split('/');
  return {
    ...given,
    caller: given.signed.key,
    bucket: decoded(bucket),
    key: decoded(key.join('/')),
    query: new Map(queryOf(query)),
  };
}

export async function answerS3(asked: S3Request): Promise<Answer> {
  if (asked.key !== '') return objectRequest(asked);
  // The body of no other request is worth an answer before its signature is seen to be right.
  const body = (await bodyOf(asked.request, asked.signed)).toString();
  return asked.bucket === '' ? listBuckets(asked) : bucketRequest(asked, body);
}

function listBuckets({ model, caller, request }: S3Request): Answer {
  if (request.method !== 'GET') throw notServed();
  const buckets = model
    .listBuckets(caller)
    .map(({ name, createdAt }): Xml => ['Bucket', ['Name', name], ['CreationDate', new Date(createdAt).toISOString()]]);
  return xmlAnswer(['ListAllMyBucketsResult', ['Owner', ['ID', caller.account]], ['Buckets', ...buckets]]);
}

const notServed = () => new Refusal(501, 'NotImplemented', 'The request is not served here');
const done: Answer = { status: 200 };
const removed: Answer = { status: 204 };

/** Requests about a whole bucket, by their method and the first word of their query. */
const bucketRequests: Readonly<Record<string, (asked: S3Request, body: string) => Answer>> = {
  'PUT ': ({ model, caller, bucket }, body) => {
    model.makeBucket(caller, bucket, textIn(body, 'LocationConstraint') || 'us-east-1');
    return done;
  },
  'DELETE ': ({ model, caller, bucket }) => {
    model.removeBucket(caller, bucket);
    return removed;
  },
  'HEAD ': ({ model, caller, bucket }) => {
    model.list(caller, bucket, { prefix: '', after: null, size: 1 });
    return done;
  },
  'GET location': ({ model, caller, bucket }) => {
    const region = model.bucketRegion(caller, bucket);
    return xmlAnswer(['LocationConstraint', region === 'us-east-1' ? '' : region]);
  },
  'PUT publicAccessBlock': ({ model, caller, bucket }) => {
    // Nothing here is ever public.
    model.bucketRegion(caller, bucket);
    return done;
  },
  'PUT versioning': ({ model, caller, bucket }, body) => {
    model.setVersioning(caller, bucket, textIn(body, 'Status') === 'Enabled');
    return done;
  },
  'GET versioning': ({ model, caller, bucket }) => {
    model.bucketRegion(caller, bucket);
    const on = model.state.buckets.get(bucket)?.versioned === true;
    return xmlAnswer(['VersioningConfiguration', ...(on ? ([['Status', 'Enabled']] satisfies Xml[]) : [])]);
  },
  'GET versions': listVersions,
  'GET uploads': listUploads,
  'GET ': listObjects,
  'POST delete': deleteObjects,
};

const words = ['location', 'publicAccessBlock', 'versioning', 'versions', 'uploads', 'delete'];

function bucketRequest(asked: S3Request, body: string): Answer {
  const word = words.find((one) => asked.query.has(one)) ?? '';
  const answer = bucketRequests[`${asked.request.method} ${word}`];
  if (!answer) throw notServed();
  return answer(asked, body);
}
