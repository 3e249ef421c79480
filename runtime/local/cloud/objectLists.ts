import { bucketFor, noVersions } from './buckets.ts';
import {
  type After,
  currentObjects,
  everyVersion,
  levelOf,
  type Line,
  linesAfter,
  type ListedObject,
  type ListedVersion,
  type Page,
  pageOf,
  uploadsUnder,
} from './listed.ts';
import type { Key, Upload } from './state.ts';
import type { Within } from './within.ts';

/** The parameters of a list: pages begin after a name, for versions and uploads also after an id. */
export interface ListRequest extends After {
  readonly prefix: string;
  readonly delimiter?: string;
  readonly size?: number;
}

const defaultPageSize = 1_000;

/** The lists of the objects, versions and uploads of a bucket. */
export function objectListsIn(within: Within) {
  const { options } = within;
  const linesOf = <A extends { readonly key: string; readonly id: string }>(items: Iterable<A>, request: ListRequest) =>
    pageOf(
      linesAfter(levelOf(items, request.prefix, request.delimiter ?? ''), request),
      Math.min(request.size ?? defaultPageSize, options.pageSize ?? defaultPageSize),
    );

  return {
    list: (caller: Key, name: string, request: ListRequest): Page<Line<ListedObject>> => {
      const bucket = bucketFor(within, caller, name, 's3:ListBucket');
      return linesOf(currentObjects(bucket, request.prefix), request);
    },

    listVersions: (caller: Key, name: string, request: ListRequest): Page<Line<ListedVersion>> => {
      const bucket = bucketFor(within, caller, name, 's3:ListBucketVersions');
      if (options.withoutVersions === true) throw noVersions();
      return linesOf(everyVersion(bucket, request.prefix), request);
    },

    listUploads: (caller: Key, name: string, request: ListRequest): Page<Line<Upload>> => {
      const bucket = bucketFor(within, caller, name, 's3:ListBucketMultipartUploads');
      return linesOf(uploadsUnder(bucket, request.prefix), request);
    },
  };
}
