import type { ObjectRef } from '../../../rules/cause/cause.ts';
import {
  AlreadyExists,
  Conflict,
  type Name,
  NotFound,
  Refused,
  type Resource,
  Unavailable,
  type WriteError,
} from './cluster.ts';

/** The same failure with the object that it is about, unless it names one already. */
export const failedOn =
  (on: ObjectRef) =>
  <E extends { readonly _tag: string }>(error: E): E | WriteError =>
    isWriteError(error) && error.on === undefined ? named(error, on) : error;

const tags: readonly string[] = ['NotFound', 'Conflict', 'AlreadyExists', 'Refused', 'Unavailable'];
const isWriteError = (error: { readonly _tag: string }): error is WriteError => tags.includes(error._tag);

function named(error: WriteError, on: ObjectRef): WriteError {
  switch (error._tag) {
    case 'NotFound':
      return new NotFound({ what: error.what, on });
    case 'Conflict':
      return new Conflict({ what: error.what, ...(error.isAnother && { isAnother: error.isAnother }), on });
    case 'AlreadyExists':
      return new AlreadyExists({ what: error.what, on });
    case 'Refused':
      return new Refused({ status: error.status, message: error.message, on });
    case 'Unavailable': {
      const { message, retryAfterMs } = error;
      return new Unavailable({ message, ...(retryAfterMs !== undefined && { retryAfterMs }), on });
    }
  }
}

/** An object of the cluster as causes name it. */
export const refIn = ({ kind }: Resource, { name, namespace = '' }: Name): ObjectRef => ({
  kind,
  name,
  namespace,
});
