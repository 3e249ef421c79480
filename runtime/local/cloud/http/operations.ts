import type { Answer, S3Request } from './answer.ts';
import {
  blockPublicAccess,
  bucketLocation,
  createBucket,
  deleteBucket,
  getVersioning,
  headBucket,
  listBuckets,
  putVersioning,
} from './buckets.ts';
import { algorithms, checksumElement } from './checksums.ts';
import { copyObject, copyPart } from './copies.ts';
import { listObjects, listUploads, listVersions } from './lists.ts';
import { deleteObject, deleteObjects, getObject, putObject } from './objects.ts';
import { overrideKeys } from './stored.ts';
import { abortUpload, completeUpload, listParts, putPart, startUpload } from './uploads.ts';

type Target = 'account' | 'bucket' | 'object';

/** One operation of S3: its selectors, and everything it supports. Anything else in a request is refused. */
export interface Operation {
  /** The S3 name, which SDKs send as `x-id`. */
  readonly name: string;
  readonly on: `${'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'} ${Target}`;
  /** Query keys, and headers, without which a request is another operation. */
  readonly selectedBy?: readonly string[];
  readonly keys?: readonly string[];
  /** Headers that change its meaning; one ending in `-` is a prefix. */
  readonly headers?: readonly string[];
  /** Elements of its body, if it has one of XML. */
  readonly elements?: readonly string[];
  /** The checksums among its headers are of an object, rather than of its body. */
  readonly isOfObject?: true;
  /** Its body is the bytes of an object, which `answer` reads. */
  readonly takesBytes?: true;
  readonly answer: (asked: S3Request, body: string) => Answer | Promise<Answer>;
}

const listed = ['delimiter', 'encoding-type', 'prefix'];
const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];
const written = ['if-match', 'if-none-match', 'x-amz-acl', 'x-amz-storage-class', 'x-amz-meta-'];
const checksummed = ['x-amz-checksum-algorithm', 'x-amz-checksum-type'];
const source = [...conditions.map((name) => `x-amz-copy-source-${name}`), 'x-amz-source-expected-bucket-owner'];
const read = {
  keys: ['versionId', ...overrideKeys],
  headers: [...conditions, 'if-range', 'range', 'x-amz-checksum-mode'],
};
const publicAccess = ['BlockPublicAcls', 'IgnorePublicAcls', 'BlockPublicPolicy', 'RestrictPublicBuckets'];

/** All supported operations; the first one that a request selects applies. */
export const operations: readonly Operation[] = [
  { name: 'ListBuckets', on: 'GET account', answer: listBuckets },

  { name: 'GetBucketLocation', on: 'GET bucket', selectedBy: ['location'], answer: bucketLocation },
  { name: 'GetBucketVersioning', on: 'GET bucket', selectedBy: ['versioning'], answer: getVersioning },
  {
    name: 'ListObjectVersions',
    on: 'GET bucket',
    selectedBy: ['versions'],
    keys: [...listed, 'max-keys', 'key-marker', 'version-id-marker'],
    answer: listVersions,
  },
  {
    name: 'ListMultipartUploads',
    on: 'GET bucket',
    selectedBy: ['uploads'],
    keys: [...listed, 'max-uploads', 'key-marker', 'upload-id-marker'],
    answer: listUploads,
  },
  {
    name: 'ListObjectsV2',
    on: 'GET bucket',
    selectedBy: ['list-type'],
    keys: [...listed, 'max-keys', 'continuation-token', 'fetch-owner', 'start-after'],
    answer: listObjects,
  },
  { name: 'ListObjects', on: 'GET bucket', keys: [...listed, 'max-keys', 'marker'], answer: listObjects },
  { name: 'HeadBucket', on: 'HEAD bucket', answer: headBucket },
  {
    name: 'PutPublicAccessBlock',
    on: 'PUT bucket',
    selectedBy: ['publicAccessBlock'],
    elements: ['PublicAccessBlockConfiguration', ...publicAccess],
    answer: blockPublicAccess,
  },
  {
    name: 'PutBucketVersioning',
    on: 'PUT bucket',
    selectedBy: ['versioning'],
    elements: ['VersioningConfiguration', 'Status'],
    answer: putVersioning,
  },
  {
    name: 'CreateBucket',
    on: 'PUT bucket',
    headers: ['x-amz-acl', 'x-amz-bucket-object-lock-enabled', 'x-amz-object-ownership'],
    elements: ['CreateBucketConfiguration', 'LocationConstraint'],
    answer: createBucket,
  },
  { name: 'DeleteBucket', on: 'DELETE bucket', answer: deleteBucket },
  {
    name: 'DeleteObjects',
    on: 'POST bucket',
    selectedBy: ['delete'],
    elements: ['Delete', 'Quiet', 'Object', 'Key', 'VersionId'],
    answer: deleteObjects,
  },

  {
    name: 'ListParts',
    on: 'GET object',
    selectedBy: ['uploadId'],
    keys: ['max-parts', 'part-number-marker'],
    answer: listParts,
  },
  { name: 'GetObject', on: 'GET object', ...read, answer: getObject },
  { name: 'HeadObject', on: 'HEAD object', ...read, answer: getObject },
  {
    name: 'UploadPartCopy',
    on: 'PUT object',
    selectedBy: ['partNumber', 'uploadId', 'x-amz-copy-source'],
    headers: [...source, 'x-amz-copy-source-range'],
    answer: copyPart,
  },
  { name: 'UploadPart', on: 'PUT object', selectedBy: ['partNumber', 'uploadId'], takesBytes: true, answer: putPart },
  {
    name: 'CopyObject',
    on: 'PUT object',
    selectedBy: ['x-amz-copy-source'],
    headers: [...source, ...written, 'x-amz-checksum-algorithm', 'x-amz-metadata-directive', 'x-amz-tagging-directive'],
    answer: copyObject,
  },
  { name: 'PutObject', on: 'PUT object', headers: written, takesBytes: true, answer: putObject },
  {
    name: 'CreateMultipartUpload',
    on: 'POST object',
    selectedBy: ['uploads'],
    headers: [...written.filter((name) => !name.startsWith('if-')), ...checksummed],
    answer: startUpload,
  },
  {
    name: 'CompleteMultipartUpload',
    on: 'POST object',
    selectedBy: ['uploadId'],
    headers: ['if-match', 'if-none-match', 'x-amz-checksum-type', 'x-amz-mp-object-size'],
    elements: ['CompleteMultipartUpload', 'Part', 'PartNumber', 'ETag', ...algorithms.map(checksumElement)],
    isOfObject: true,
    answer: completeUpload,
  },
  { name: 'AbortMultipartUpload', on: 'DELETE object', selectedBy: ['uploadId'], answer: abortUpload },
  { name: 'DeleteObject', on: 'DELETE object', keys: ['versionId'], headers: ['if-match'], answer: deleteObject },
];
