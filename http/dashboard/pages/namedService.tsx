import { useEffect } from 'preact/hooks';
import type { Read } from '../../api.ts';
import { api } from '../api.ts';
import { Frame } from '../parts/frame.tsx';
import { Failed, Skeleton } from '../parts/note.tsx';
import { go } from '../router.ts';
import { addressOf } from '../routes.ts';
import { ofService } from '../kinds/service/concerns.ts';
import { useLoaded } from '../store/loaded.ts';

/** Leads from a service's name, which is all that kubectl and the command line know, to its page. */
export function NamedService({ name, view }: { readonly name: string; readonly view: string }) {
  const { value, failed, reload } = useLoaded<Read>(api.app(name), ofService(name));
  const to = value && addressOf.service({ ...value.resource, name }, view);
  useEffect(() => {
    if (to !== null) go(to, 'replace');
  }, [to]);
  return (
    <Frame title={name}>
      <div class="stack">
        <h1>{name}</h1>
        <Failed failed={failed} readAt={null} retry={reload} />
        {failed === null && <Skeleton height={480} />}
      </div>
    </Frame>
  );
}
