import type { Read } from '../../../api.ts';
import { Copied } from '../../parts/copied.tsx';
import { code, Fact, FactsCard, Moment } from '../../parts/fact.tsx';
import { Value } from '../../parts/value.tsx';
import { bucketShape } from '../../words/connection.ts';
import { detailOf } from '../../words/details.ts';
import { isServer, placeOfStore } from '../../words/objectStore.ts';

/** The facts of a bucket, or of a server of buckets. */
export const BucketFacts = ({ store }: { readonly store: Read }) => {
  const { resource, status } = store;
  const { name } = resource;
  return (
    <FactsCard>
      <Fact name="Kind">{isServer(resource) ? 'server of buckets' : 'bucket'}</Fact>
      <Fact name="Runs">{placeOfStore(store)}</Fact>
      <Fact name="Endpoint">
        <Value value={detailOf(resource, 'endpoint')} redacted>
          {(endpoint) => <Copied text={endpoint} what="the endpoint" />}
        </Value>
      </Fact>
      {!isServer(resource) && (
        <>
          <Fact name="Bucket">
            <Value value={detailOf(resource, 'bucket')} redacted>
              {(bucket) => <Copied text={bucket} what="the name of the bucket" />}
            </Value>
          </Fact>
          <Fact name="Secret for services">
            <Value value={bucketShape.secretOf(name, status)} redacted>
              {code}
            </Value>
          </Fact>
        </>
      )}
      <Fact name="Created">
        <Moment at={resource.createdAt} />
      </Fact>
    </FactsCard>
  );
};
