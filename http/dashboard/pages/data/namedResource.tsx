import { useEffect } from 'preact/hooks';
import type { Read } from '../../../api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { ofObject } from '../../kindPages/service/concerns.ts';
import { Frame } from '../../components/frame.tsx';
import { Gone } from '../../components/gone.tsx';
import type { Listed } from '../../model/listed.ts';
import { machineOfKind } from '../../model/resourceFilter.ts';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';

interface NamedResourceProps {
  readonly kind: string;
  readonly name: string;
  readonly view: string;
  /** Where it is read. */
  readonly path: string;
}

/** Leads from the name of a resource, which is all that kubectl knows, to its page. */
export function NamedResource({ kind, name, view, path }: NamedResourceProps) {
  const loaded = useLoaded<Read>(path, ofObject(kind, name));
  const { value } = loaded;
  const machine = machineOfKind[kind] ?? '';
  const to = value && addressOf.resource({ ...value.resource, kind, name }, view);
  useEffect(() => {
    if (to !== null) go(to, 'replace');
  }, [to]);
  return (
    <Frame title={name}>
      <div class="stack">
        <h1>{name}</h1>
        <Loaded
          of={loaded}
          height={480}
          gone={(error) => (
            <Gone
              machine={machine}
              id={`${kind.toLowerCase()}s:${name}`}
              what={machine as Listed}
              name={name}
              error={error}
            />
          )}
        />
      </div>
    </Frame>
  );
}
