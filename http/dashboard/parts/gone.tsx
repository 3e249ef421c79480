import type { InstanceRead } from '../../api.ts';
import { api } from '../api.ts';
import { addressOf } from '../routes.ts';
import { useLoaded } from '../store/loaded.ts';
import { Note, Skeleton } from './note.tsx';
import { Since } from './times.tsx';

interface GoneProps {
  /** A machine of the object, and its id there. */
  readonly machine: string;
  readonly id: string;
  /** What the server says of it. */
  readonly error: string;
}

const never = () => false;

/** An object that is not there: since when, and its history; or that there never was one. */
export function Gone({ machine, id, error }: GoneProps) {
  const { value, failed } = useLoaded<InstanceRead>(api.instance(machine, id), never);
  if (value === null && failed === null) return <Skeleton height={44} />;
  return (
    <Note tone="idle" sign="slash">
      {value?.deletedAt === undefined ? (
        `${error}.`
      ) : (
        <>
          Deleted <Since at={value.deletedAt} /> ago. <a href={addressOf.instance(machine, id)}>Its history</a> is kept
          for 30 days.
        </>
      )}
    </Note>
  );
}
