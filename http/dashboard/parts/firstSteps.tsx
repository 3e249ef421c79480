import { Command } from './copy.tsx';

/** What to do while there is nothing to show. */
export const FirstSteps = () => (
  <div class="empty">
    <h2>No build yet</h2>
    <p>A build appears by itself when a service has a repository. Two commands make the first one:</p>
    <Command what="the command that makes a service" text="kubectl apply -f crds/samples/first-build.yaml" />
    <Command
      what="the command that pushes a repository"
      text="git push <address of the Git host>/demo/hello.git main"
    />
    <p class="muted small">
      This page needs no refresh. The address of the Git host stands in <code>endpoints.json</code> of the data
      directory.
    </p>
  </div>
);
