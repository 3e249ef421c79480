import type { KubeObject } from '../../crds/kind.ts';
import { isLater } from '../../rules/version.ts';
import type { Watched } from '../services/cluster/cluster.ts';
import { enterChange, forgetAllBut, type Indexer, type Origin, versionOf } from './indexer.ts';
import { type Key, keyOf } from './key.ts';

/** A list that is being read, page by page, while the watch may report changes. */
interface OpenList<O extends KubeObject> {
  readonly enter: (items: readonly O[], resourceVersion: string) => void;
  /** Removes the objects on no page. Returns whether the list was older than what the watch reported. */
  readonly finish: (resourceVersion: string) => boolean;
  /** Called in any case, after success or failure. */
  readonly close: () => void;
}

/** Enters lists, watch events and own writes into an indexer, so that none undoes a later one. */
export interface Store<O extends KubeObject> {
  readonly openList: (origin: Origin) => OpenList<O>;
  readonly receive: (change: Watched<O>) => void;
  /** Stores an object that this process read or wrote, unless the watch has reported a later version. */
  readonly note: (object: O) => void;
  /** Removes everything: deleting the definition of a kind deletes all its objects. */
  readonly clear: () => void;
}

/** The version that a watch event reports. */
export const versionOfChange = <O extends KubeObject>(change: Watched<O>): string =>
  change.type === 'bookmark' ? change.resourceVersion : versionOf(change.object);

export function makeStore<O extends KubeObject>(indexer: Indexer<O>): Store<O> {
  /** The newest version that the watch or a list has reported; an older note never undoes it. */
  let reported = '0';
  /** A list has shown everything up to this version, so watch events up to it are ignored. */
  let listed = '0';
  /** Deletions reported during a list; null when none is running. */
  let deletedMeanwhile: Map<Key, string> | null = null;

  const report = (version: string) => {
    if (isLater(version, reported)) reported = version;
  };

  return {
    openList: (origin) => {
      const reportedBefore = reported;
      const deleted = (deletedMeanwhile = new Map<Key, string>());
      const shown = new Set<Key>();
      return {
        enter: (items, resourceVersion) => {
          const isOld = isLater(reportedBefore, resourceVersion);
          for (const object of items) {
            const key = keyOf(object);
            shown.add(key);
            const isGone = isOld || isLater(deleted.get(key) ?? '0', versionOf(object));
            if (indexer.get(key) || !isGone) indexer.put(object, origin);
          }
        },
        finish: (resourceVersion) => {
          forgetAllBut(indexer, shown, resourceVersion);
          if (isLater(resourceVersion, listed)) listed = resourceVersion;
          report(resourceVersion);
          return isLater(reportedBefore, resourceVersion);
        },
        close: () => {
          deletedMeanwhile = null;
        },
      };
    },
    receive: (change) => {
      const version = versionOfChange(change);
      if (change.type === 'deleted') deletedMeanwhile?.set(keyOf(change.object), version);
      if (change.type !== 'bookmark') enterChange(indexer, change, listed);
      report(version);
    },
    note: (object) => {
      if (indexer.get(keyOf(object)) || isLater(versionOf(object), reported)) indexer.put(object, 'own');
    },
    clear: () => {
      for (const object of indexer.list()) indexer.forget(keyOf(object), versionOf(object));
    },
  };
}
