import { pathTo } from '../api.ts';
import { addressOf } from '../routes.ts';
import { useLoaded } from '../store/loaded.ts';
import type { Listed } from '../model/listed.ts';
import { lazyPart } from './lazy.tsx';
import { Note, Skeleton } from './note.tsx';
import { Since } from './times.tsx';

const height = 120;
/** What shows names that are like it needs every list of them. */
export const NotFound = lazyPart(async () => (await import('./notFound.tsx')).NotFound, height);

interface GoneProps {
  /** A machine of the object, and its id there. */
  readonly machine: string;
  readonly id: string;
  readonly what: Listed;
  /** The name in the address. */
  readonly name: string;
  /** What the server says of it. */
  readonly error: string;
}

const never = () => false;

/** An object that is not there: since when, and its history; or that there never was one, and what there is. */
export function Gone({ machine, id, ...asked }: GoneProps) {
  const { value, failed } = useLoaded(
    pathTo('GET /machines/{machine}/instances/{instance}', { machine, instance: id }),
    never,
  );
  if (value === null && failed === null) return <Skeleton height={height} />;
  if (value?.deletedAt === undefined) return <NotFound {...asked} />;
  return (
    <Note tone="idle" sign="slash">
      Deleted <Since at={value.deletedAt} /> ago. <a href={addressOf.instance(machine, id)}>Its history</a> is kept for
      30 days.
    </Note>
  );
}
