import { program } from '../../crds/names.ts';

export const signInAgain = `Run '${program} login' to sign in again.`;
