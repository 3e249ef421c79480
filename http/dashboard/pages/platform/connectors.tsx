import { useSignal } from '@preact/signals';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Fact } from '../../components/fact.tsx';
import { Refused } from '../../components/refused.tsx';
import { changedBody, dnsFields, dnsValues, storedWord } from './model.ts';
import { GitApplication } from './gitApplication.tsx';
import { LazyPlatformBanner } from './lazyPlatformBanner.tsx';
import { PlatformForm } from './platformForm.tsx';
import type { PlatformViewProps } from './platformView.ts';
import { write } from '../../api.ts';
import { disconnectWarning } from './text.ts';

/** What the platform reaches outside: the DNS provider, and the application at the Git host. */
export function Connectors({ settings, onSaved }: PlatformViewProps) {
  const { dns } = settings.secrets;
  const isConnected = settings.spec['dnsConnected'] === true;
  return (
    <div class="stack narrow">
      <LazyPlatformBanner machine="dnsProviderReady" />
      <PlatformForm
        title="DNS provider"
        help={`Kept in the Secret ${dns.name}; what is stored is never shown.`}
        fields={dnsFields}
        values={dnsValues}
        answer={JSON.stringify(settings.conditions)}
        empties
        what="credentials"
        isStored={isConnected && dns.keys.includes('apiToken')}
        save={(dirty, values) => write('POST /settings/dns/save', {}, changedBody(dirty, values))}
        onSaved={onSaved}
      />
      {isConnected && <Connected dns={dns} onSaved={onSaved} />}
      <GitApplication settings={settings} onSaved={onSaved} />
    </div>
  );
}

interface ConnectedProps extends Pick<PlatformViewProps, 'onSaved'> {
  readonly dns: PlatformViewProps['settings']['secrets']['dns'];
}

/** What of the provider is stored, and the end of the connection. */
function Connected({ dns, onSaved }: ConnectedProps) {
  const isAsking = useSignal(false);
  const refused = useSignal('');
  const disconnect = async () => {
    isAsking.value = false;
    const answer = await write('POST /settings/dns/disconnect', {});
    refused.value = answer.is === 'ok' ? '' : answer.error;
    onSaved();
  };
  return (
    <Card title="Connection to the DNS provider">
      <dl class="facts facts-panel">
        <Fact name="Secret">
          <code>{dns.name}</code>
        </Fact>
        <Fact name="Stored">{storedWord(dns.keys)}</Fact>
      </dl>
      <div class="card-body stack-tight">
        <Refused text={refused.value} />
        <div>
          <button type="button" class="button" aria-haspopup="dialog" onClick={() => (isAsking.value = true)}>
            Disconnect
          </button>
        </div>
      </div>
      {isAsking.value && (
        <Confirm
          title="Disconnect the DNS provider?"
          text={disconnectWarning}
          yes="Disconnect"
          bad
          onYes={() => void disconnect()}
          onNo={() => (isAsking.value = false)}
        />
      )}
    </Card>
  );
}
