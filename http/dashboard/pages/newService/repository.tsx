import { useSignal } from '@preact/signals';
import { pathTo } from '../../api.ts';
import { ofProject } from '../../kindPages/service/concerns.ts';
import { Note } from '../../components/note.tsx';
import { Refused } from '../../components/refused.tsx';
import { PushAddress } from '../../components/pushAddress.tsx';
import { useLoaded } from '../../store/loaded.ts';
import type { NewService } from '../../model/newService.ts';
import { isLinked } from '../projectSettings/model.ts';
import { linkFor } from './link.ts';
import { notConnected } from './text.ts';

const never = () => false;

interface RepositoryProps {
  readonly project: string;
  readonly service: NewService;
}

/** What a repository needs before it is deployed: the link of its project, and a push. */
export function Repository({ project, service: { repository, branch } }: RepositoryProps) {
  const { value, reload } = useLoaded(pathTo('GET /projects/{project}', { project: project }), ofProject(project));
  const platform = useLoaded(pathTo('GET /platform', {}), never).value;
  const busy = useSignal(false);
  const failed = useSignal('');
  const connect = async () => {
    if (busy.value) return;
    busy.value = true;
    const answer = await linkFor(project, repository);
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    reload();
  };
  return (
    <>
      {value && !isLinked(value) && (
        <Note tone="waiting">
          {notConnected}{' '}
          <button type="button" class="button button-small" aria-busy={busy.value} onClick={() => void connect()}>
            {busy.value ? 'Connecting …' : 'Connect to Git host'}
          </button>
        </Note>
      )}
      <Refused text={failed.value} />
      {platform && <PushAddress gitHost={platform.gitHost} repository={repository} branch={branch} />}
    </>
  );
}
