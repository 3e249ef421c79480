import { discardsAt, isPutBack } from '../../model/databaseDiscard.ts';
import { ResourceChanges } from './changes.tsx';
import type { ResourceReading } from './reading.ts';

/** What of a database or a bucket waits for a deploy, and one request that puts back what runs. */
export const DataChanges = ({ reading }: { readonly reading: ResourceReading }) => (
  <ResourceChanges reading={reading} isDiscardable={isPutBack} discardsOf={(items) => discardsAt(reading.of, items)} />
);
