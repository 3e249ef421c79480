import * as authorization from '../../../runtime/local/cloud/http/authorization.ts';
import * as checksums from '../../../runtime/local/cloud/http/checksums.ts';
import * as known from '../../../runtime/local/cloud/http/known.ts';
import * as trailer from '../../../runtime/local/cloud/http/trailer.ts';
import { type Replacement, replaced } from '../bugs/bug.ts';

/** A mistake that an S3 server is easily made with. */
interface BucketBug {
  readonly name: string;
  readonly plant: Replacement;
}

export const bucketBugs: readonly BucketBug[] = [
  {
    name: 'a key or header that an operation does not know is ignored',
    plant: replaced(known, 'refuseUnknown', () => () => {}),
  },
  {
    name: 'the checksum in a trailer is not read',
    plant: replaced(trailer, 'trailedIn', () => () => new Map()),
  },
  {
    name: 'a checksum is computed and not compared',
    plant: replaced(checksums, 'digestBy', () => () => ({ update: () => {}, base64: () => 'AAAAAA==' })),
  },
  {
    name: 'a presigned address has no end',
    plant: replaced(
      authorization,
      'authorizationOf',
      (original) => (request) => original(request, Date.now() - 60_000),
    ),
  },
];
