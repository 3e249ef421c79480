import { refused } from '../../../../runtime/local/cloud/refusal.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

interface Keeping {
  keeps: boolean;
  tries: number;
}

const keepings = new WeakMap<object, Keeping>();

/** From now on the cloud deletes nothing: it says so of each key, in an answer that is no failure. */
export function keepsAll({ cloud: { model } }: TestEnvironment): void {
  const keeping: Keeping = { keeps: true, tries: 0 };
  const { remove } = model;
  keepings.set(model, keeping);
  Object.assign(model, {
    remove: (...given: Parameters<typeof remove>) => {
      keeping.tries++;
      if (keeping.keeps) throw refused.denied('s3:DeleteObjectVersion');
      return remove(...given);
    },
  });
}

/** How often it refused to. */
export const triesToDelete = ({ cloud: { model } }: TestEnvironment): number => keepings.get(model)?.tries ?? 0;

export function deletesAgain({ cloud: { model } }: TestEnvironment): void {
  const keeping = keepings.get(model);
  if (keeping) keeping.keeps = false;
}
