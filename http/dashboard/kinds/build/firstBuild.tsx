import type { Platform } from '../../../api.ts';
import { api } from '../../api.ts';
import { Command } from '../../parts/copy.tsx';
import { useLoaded } from '../../store/loaded.ts';

const never = () => false;

/** How to make the first build. */
export function FirstBuild() {
  const { value } = useLoaded<Platform>(api.platform, never);
  return (
    <div class="empty">
      <h2>No build yet</h2>
      <p>A build appears by itself when a service has a repository. Two commands make the first one:</p>
      <Command what="the command that makes a service" text="kubectl apply -f crds/samples/first-build.yaml" />
      <Command
        what="the command that pushes a repository"
        text={`git push ${value?.gitHost ?? '…'}/demo/hello.git HEAD:main`}
      />
      <p class="muted small">Updates live.</p>
    </div>
  );
}
