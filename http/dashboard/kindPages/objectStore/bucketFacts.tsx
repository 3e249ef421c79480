import type { Read } from '../../../api.ts';
import { Copied } from '../../components/copied.tsx';
import { code, Fact, FactsCard, Moment } from '../../components/fact.tsx';
import { Value } from '../../components/value.tsx';
import { bucketShape } from '../../model/connection.ts';
import { detailOf } from '../../model/details.ts';
import { isServer, placeOfStore } from '../../model/objectStore.ts';

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
