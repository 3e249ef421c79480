import { pathTo } from '../../api.ts';
import { Command } from '../../components/copy.tsx';
import { Empty } from '../../components/empty.tsx';
import { addressOf } from '../../routes.ts';
import { programName } from '../../model/command.ts';
import { useLoaded } from '../../store/loaded.ts';

const never = () => false;

/** How to make the first build. */
export function FirstBuild() {
  const { value } = useLoaded(pathTo('GET /platform', {}), never);
  return (
    <Empty
      title="No build yet"
      text="A build appears once a service has a repository and receives a push. Updates live."
      command={`${programName} apps create hello --repo demo/hello --project … --environment … --deploy`}
    >
      <a class="button" href={addressOf.home()}>
        Deploy your first service
      </a>
      <Command
        what="the command that pushes a repository"
        text={`git push ${value?.gitHost ?? '…'}/demo/hello.git HEAD:main`}
      />
    </Empty>
  );
}
