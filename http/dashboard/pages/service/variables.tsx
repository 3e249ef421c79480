import type { Read } from '../../../api.ts';
import { pathTo } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Hidden } from '../../components/value.tsx';
import { ofService } from '../../kindPages/service/concerns.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayReadSensitive } from '../../store/session.ts';
import { KeyValueEditor } from '../../components/keyValue/keyValueEditor.tsx';
import { appliesWord } from '../../model/gate.ts';
import { restartOfService } from '../../model/restart.ts';
import { changesOfRows } from '../../model/variables.ts';

interface VariablesProps {
  readonly read: Read;
  /** How many copies run; null while that is not read. */
  readonly copies: number | null;
  readonly onSaved: () => void;
}

/** The variables of a service: its own, to edit, and those that come from elsewhere, with where from. */
export function Variables({ read, copies, onSaved }: VariablesProps) {
  const { name } = read.resource;
  const isShown = mayReadSensitive();
  const loaded = useLoaded(isShown ? pathTo('GET /apps/{app}/variables', { app: name }) : null, ofService(name));
  const { reload } = loaded;
  if (!isShown)
    return (
      <Card label="Variables" isPadded>
        <Hidden />
      </Card>
    );
  return (
    <>
      <Loaded of={loaded} height={240}>
        {(value) => (
          <KeyValueEditor
            title="Variables"
            help={appliesWord(read.resource)}
            question={() => restartOfService(read, copies, ['config'])}
            variables={value.items}
            requestsOf={(rows) => changesOfRows(name, rows)}
            onSaved={() => {
              reload();
              onSaved();
            }}
          />
        )}
      </Loaded>
    </>
  );
}
