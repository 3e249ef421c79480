import type { Read } from '../../../../api.ts';
import { pathTo } from '../../../api.ts';
import { consoleOf } from '../../../console/consoles.ts';
import { ofConsoles, ofService } from '../../../kindPages/service/concerns.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Note } from '../../../components/note.tsx';
import { loadStyles } from '../../../components/styles.ts';
import { useLoaded } from '../../../store/loaded.ts';
import { isAdmin } from '../../../store/session.ts';
import { enterable } from './model.ts';
import { ConnectForm } from './connectForm.tsx';
import { Sessions } from './sessions.tsx';
import { TerminalCard } from './terminalCard.tsx';

/** Shells in the copies of a service, and who was in one. */
export function ConsoleView({ read }: { readonly read: Read }) {
  loadStyles('/assets/terminal.css');
  return isAdmin() ? <Consoles read={read} /> : <Note tone="idle">Your viewer role cannot open consoles.</Note>;
}

function Consoles({ read }: { readonly read: Read }) {
  const { name, project, environment } = read.resource;
  const pods = useLoaded(pathTo('GET /apps/{app}/pods', { app: name }), ofService(name));
  const sessions = useLoaded(pathTo('GET /apps/{app}/console/sessions', { app: name }), ofConsoles);
  const terminal = consoleOf(name).value;
  const place = { app: name, namespace: `${project}-${environment}` };
  return (
    <div class="stack">
      <Loaded of={pods} height={120}>
        {(value) => <ConnectForm {...place} copies={enterable(value.items)} />}
      </Loaded>
      {terminal && <TerminalCard terminal={terminal} sessions={sessions.value?.items ?? []} />}
      <Loaded of={sessions} height={120}>
        {({ items }) => <Sessions items={items} />}
      </Loaded>
    </div>
  );
}
