import { Refusal } from '../refusal.ts';
import { type Answer, type S3Request, xmlAnswer } from './answer.ts';
import { textIn, type Xml } from './xml.ts';

const done: Answer = { status: 200 };

export function listBuckets({ model, caller }: S3Request): Answer {
  const buckets = model
    .listBuckets(caller)
    .map(({ name, createdAt }): Xml => ['Bucket', ['Name', name], ['CreationDate', new Date(createdAt).toISOString()]]);
  return xmlAnswer(['ListAllMyBucketsResult', ['Owner', ['ID', caller.account]], ['Buckets', ...buckets]]);
}

export function createBucket({ model, caller, bucket }: S3Request, body: string): Answer {
  model.makeBucket(caller, bucket, textIn(body, 'LocationConstraint') || 'us-east-1');
  return done;
}

export function deleteBucket({ model, caller, bucket }: S3Request): Answer {
  model.removeBucket(caller, bucket);
  return { status: 204 };
}

export function headBucket({ model, caller, bucket }: S3Request): Answer {
  model.list(caller, bucket, { prefix: '', after: null, size: 1 });
  return { status: 200, headers: { 'x-amz-bucket-region': model.state.buckets.get(bucket)?.region } };
}

export function bucketLocation({ model, caller, bucket }: S3Request): Answer {
  const region = model.bucketRegion(caller, bucket);
  return xmlAnswer(['LocationConstraint', region === 'us-east-1' ? '' : region]);
}

/** Nothing here is ever public. */
export function blockPublicAccess({ model, caller, bucket }: S3Request): Answer {
  model.bucketRegion(caller, bucket);
  return done;
}

export function putVersioning({ model, caller, bucket }: S3Request, body: string): Answer {
  const status = textIn(body, 'Status');
  if (status !== 'Enabled' && status !== 'Suspended')
    throw new Refusal(400, 'MalformedXML', 'The status of versions must be Enabled or Suspended');
  model.setVersioning(caller, bucket, status === 'Enabled');
  return done;
}

export function getVersioning({ model, caller, bucket }: S3Request): Answer {
  model.bucketRegion(caller, bucket);
  const on = model.state.buckets.get(bucket)?.versioned === true;
  return xmlAnswer(['VersioningConfiguration', ...(on ? ([['Status', 'Enabled']] satisfies Xml[]) : [])]);
}
