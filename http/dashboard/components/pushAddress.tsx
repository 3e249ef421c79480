import { Command } from './copy.tsx';
import { pushCommand } from '../model/gitHost.ts';

interface PushAddressProps {
  readonly gitHost: string;
  readonly repository: string;
  readonly branch: string;
}

/** The command that pushes to the repository of a service; the push may come before or after the service. */
export const PushAddress = ({ gitHost, repository, branch }: PushAddressProps) => (
  <div class="stack-tight">
    <p class="small muted">Push to it from any repository of yours, now or later:</p>
    <Command what="the command that pushes" text={pushCommand(gitHost, repository, branch)} />
  </div>
);
