import { useSignal } from '@preact/signals';
import { act, api } from '../../api.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Note } from '../../parts/note.tsx';
import { changedBody, dnsFields, dnsValues } from '../../words/platform.ts';
import { ConditionNote } from './conditionNote.tsx';
import { GitApplication } from './gitApplication.tsx';
import { PlatformForm } from './platformForm.tsx';
import type { PlatformViewProps } from './platformView.ts';

/** What the platform reaches outside: the DNS provider, and the application at the Git host. */
export function Connectors({ settings, onSaved }: PlatformViewProps) {
  const { dns } = settings.secrets;
  const isConnected = settings.spec['dnsConnected'] === true;
  return (
    <div class="stack narrow">
      <ConditionNote settings={settings} type="DnsProviderReady" absent="No DNS provider is connected." />
      <PlatformForm
        title="DNS provider"
        means={`Kept in the Secret ${dns.name}; what is stored is never shown.`}
        fields={dnsFields}
        values={dnsValues}
        what="credentials"
        save={(dirty, values) => act(api.ofSettings('dns/save'), changedBody(dirty, values))}
        onSaved={onSaved}
      />
      {isConnected && <Disconnect onSaved={onSaved} />}
      <GitApplication settings={settings} onSaved={onSaved} />
    </div>
  );
}

function Disconnect({ onSaved }: Pick<PlatformViewProps, 'onSaved'>) {
  const isAsking = useSignal(false);
  const refused = useSignal('');
  const disconnect = async () => {
    isAsking.value = false;
    const answer = await act(api.ofSettings('dns/disconnect'));
    refused.value = answer.is === 'ok' ? '' : answer.error;
    onSaved();
  };
  return (
    <div>
      {refused.value !== '' && <Note tone="bad">{refused.value}</Note>}
      <button type="button" class="button" aria-haspopup="dialog" onClick={() => (isAsking.value = true)}>
        Disconnect
      </button>
      {isAsking.value && (
        <Confirm
          title="Disconnect the DNS provider?"
          text="Its records stay as they are and are kept no longer; a tunnel of the platform ends, and services lose their default hosts."
          yes="Disconnect"
          bad
          onYes={() => void disconnect()}
          onNo={() => (isAsking.value = false)}
        />
      )}
    </div>
  );
}
