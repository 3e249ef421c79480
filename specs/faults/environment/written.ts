import type { KubeObject } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { mergePatch } from '../../../runtime/embedded/api/patch/merge.ts';
import { canonicalJson } from '../../../rules/canonical.ts';
import { keyOf, type MemoryCluster } from '../../support/memoryCluster.ts';
import type { Path } from '../subjects/subject.ts';

/** What users wrote last: by hand, or by a command that a running operator carried out for them. */
export interface Written {
  /** By kind and name; null where it was taken away. */
  readonly entries: () => readonly (readonly [key: string, written: KubeObject | null])[];
  readonly changed: (object: KubeObject) => void;
}

const specOf = (object: KubeObject) => (object as { readonly spec?: object }).spec ?? {};
const withSpec = (object: KubeObject, spec: object): KubeObject => Object.assign({ ...object }, { spec });
/** A deploy opens the gate of a user's object. */
const withoutGate = (spec: object) => canonicalJson({ ...spec, deploy: undefined });

export const isAsWritten = (left: KubeObject, written: KubeObject): boolean =>
  withoutGate(specOf(left)) === withoutGate(specOf(written));

export function makeWritten({ script }: Path, { userEdits }: Pick<MemoryCluster, 'userEdits'>): Written {
  const commanded = new Map<string, { readonly over: KubeObject; readonly object: KubeObject }>();
  const lastOf = (key: string): KubeObject | null => {
    const edit = userEdits.get(key) ?? null;
    const command = commanded.get(key);
    return edit !== null && command?.over === edit ? command.object : edit;
  };
  const patchesOf = ({ kind, metadata }: KubeObject): readonly object[] =>
    script.flatMap(({ command }) => {
      const { spec } = (command?.asked ?? {}) as { readonly spec?: object };
      return spec && command?.kind === kind && command?.name === metadata.name ? [spec] : [];
    });
  return {
    entries: () => [...userEdits.keys()].map((key) => [key, lastOf(key)] as const),
    changed: (object) => {
      const key = keyOf(object);
      const over = userEdits.get(key);
      const before = lastOf(key);
      if (!over || !before || !isOfUser(object)) return;
      const asked = patchesOf(object)
        .map((patch) => withSpec(before, Object(mergePatch({ ...specOf(before) }, { ...patch }))))
        .find((one) => isAsWritten(object, one));
      if (asked !== undefined) commanded.set(key, { over, object: asked });
    },
  };
}

/** Whether the newest move was asked for by a user. */
function isOfUser({ metadata }: KubeObject): boolean {
  const { by } = JSON.parse(metadata.annotations?.[annotation.move] ?? '{}') as { readonly by?: string };
  return by === 'admin';
}
