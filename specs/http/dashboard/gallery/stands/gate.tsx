import type { Read } from '../../../../../http/api.ts';
import { SettingsForm } from '../../../../../http/dashboard/pages/service/settings/settingsForm.tsx';
import { KeyValueEditor } from '../../../../../http/dashboard/components/keyValue/keyValueEditor.tsx';
import { InUse } from '../../../../../http/dashboard/components/resource/inUse.tsx';
import { Running } from '../../../../../http/dashboard/components/running.tsx';
import { appliesWord } from '../../../../../http/dashboard/model/gate.ts';
import { restartOfService } from '../../../../../http/dashboard/model/restart.ts';
import { settingsCards } from '../../../../../http/dashboard/pages/service/settings/model.ts';
import { changesOfRows } from '../../../../../http/dashboard/model/variables.ts';
import { summary } from '../../summary.ts';
import { variables } from '../fixtures.ts';
import type { Stand } from '../stand.tsx';

const service = (over: Partial<Read['resource']>): Read => ({
  resource: summary('web', { ...over, details: { source: 'image', ...over.details } }),
  spec: { source: { image: 'registry.example.com/web:2' }, port: 3000, replicas: 2 },
  status: {},
});
const ungated = service({ details: { appliesAtOnce: true } });

const Cards = ({ read }: { readonly read: Read }) => (
  <div class="halves">
    {settingsCards(read).map((card) => (
      <SettingsForm key={card.title} {...card} read={read} copies={2} onSaved={() => {}} />
    ))}
  </div>
);

/** The settings of a service, and what else is said of when they apply, in each state of the deploy gate. */
const gate: Stand = {
  name: 'gate',
  states: [
    ['deployed on every change', () => <Cards read={ungated} />],
    ['deployed by a deploy', () => <Cards read={service({})} />],
    ['a draft', () => <Cards read={service({ state: 'draft' })} />],
    ['being deleted', () => <Cards read={service({ state: 'deleting' })} />],
    [
      'variables that are deployed on every change',
      () => (
        <KeyValueEditor
          title="Variables"
          help={appliesWord(ungated.resource)}
          question={() => restartOfService(ungated, 2, ['config'])}
          variables={variables}
          requestsOf={(rows) => changesOfRows('web', rows)}
          onSaved={() => {}}
        />
      ),
    ],
    ['an image that waits', () => <Running now="registry.example.com/web:2" next=":3" />],
    ['an image of a draft', () => <Running now="" next="registry.example.com/web:3" />],
    [
      'a server in use',
      () => (
        <InUse
          offered="stopped or deleted"
          users={[summary('recipes', { kind: 'CoreLogicalDatabase' }), summary('ledger', { kind: 'CoreObjectStore' })]}
        />
      ),
    ],
  ],
};

export const gateSamples: readonly Stand[] = [gate];
