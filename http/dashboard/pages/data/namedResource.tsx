import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Loaded } from '../../components/loaded.tsx';
import { ofObject } from '../../kindPages/service/concerns.ts';
import type { NamedPlace } from '../../kindPages/resourcePage.tsx';
import { Frame } from '../../components/frame.tsx';
import { Gone } from '../../components/gone.tsx';
import type { Listed } from '../../model/listed.ts';
import { machineOfKind } from '../../model/resourceFilter.ts';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { resourcePath } from '../../api.ts';

interface NamedResourceProps {
  readonly kind: string;
  readonly name: string;
  readonly view: string;
  /** The page of a server that all projects share, whose name is its address. */
  readonly Shared?: ComponentType<NamedPlace>;
}

/** Leads from the name of a resource, which is all that kubectl knows, to its page. */
export function NamedResource({ kind, name, view, Shared }: NamedResourceProps) {
  const loaded = useLoaded(resourcePath({ kind, name }, ''), ofObject(kind, name));
  const { value } = loaded;
  const machine = machineOfKind[kind] ?? '';
  const isHere = Shared !== undefined && value?.resource.project === '';
  const to = value && !isHere ? addressOf.resource({ ...value.resource, kind, name }, view) : null;
  useEffect(() => {
    if (to !== null) go(to, 'replace');
  }, [to]);
  if (isHere) return <Shared project="" environment="" name={name} view={view} />;
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
