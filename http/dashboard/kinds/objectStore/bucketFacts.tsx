import type { Read } from '../../../api.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { code, Fact, Moment } from '../../parts/fact.tsx';
import { Value } from '../../parts/value.tsx';
import { bucketShape } from '../../words/connection.ts';
import { detailOf } from '../../words/details.ts';
import { isServer, placeOfStore } from '../../words/objectStore.ts';

/** The facts of a bucket, or of a server of buckets. */
export const BucketFacts = ({ store }: { readonly store: Read }) => {
  const { resource, status } = store;
  const { name } = resource;
  return (
    <section class="card aside" aria-label="Facts">
      <div class="card-head">
        <h2>Facts</h2>
      </div>
      <dl class="facts facts-panel">
        <Fact name="Kind">{isServer(resource) ? 'server of buckets' : 'bucket'}</Fact>
        <Fact name="Runs">{placeOfStore(store)}</Fact>
        <Fact name="Endpoint">
          <Copied text={detailOf(resource, 'endpoint')} what="the endpoint" />
        </Fact>
        {!isServer(resource) && (
          <>
            <Fact name="Bucket">
              <Copied text={detailOf(resource, 'bucket')} what="the name of the bucket" />
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
      </dl>
    </section>
  );
};

const Copied = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <Value value={text} redacted>
    {(known) => (
      <span class="copyable">
        <code title={known}>{known}</code>
        <CopyButton text={known} what={what} />
      </span>
    )}
  </Value>
);
