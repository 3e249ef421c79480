import { Card } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Fact } from '../../components/fact.tsx';
import { Table } from '../../components/table/table.tsx';
import { Ago, Countdown } from '../../components/times.tsx';
import { addressOf } from '../../routes.ts';
import { changedBody, domainFields, domainValues, hasTimedOut } from './model.ts';
import { platformId } from './platformId.ts';
import { LazyPlatformBanner } from './lazyPlatformBanner.tsx';
import { PlatformForm } from './platformForm.tsx';
import type { PlatformViewProps } from './platformView.ts';
import { write } from '../../api.ts';
import { domainHelp } from './text.ts';

/** Where the dashboard is published, whether it answers there, and what is to be done by hand. */
export function Domain({ settings, onSaved }: PlatformViewProps) {
  const { domain } = settings;
  return (
    <div class="stack narrow">
      <LazyPlatformBanner machine="dashboardDomainReady" />
      <Card title="Address">
        <dl class="facts facts-panel">
          <Fact name="Dashboard">
            {domain.url === '' ? <span class="muted">no domain</span> : <a href={domain.url}>{domain.url}</a>}
          </Fact>
          <Fact name="Public IP">
            <span class="mono">{domain.publicIPs.length === 0 ? 'none' : domain.publicIPs.join(', ')}</span>
          </Fact>
          {domain.issuer !== '' && (
            <Fact name="Certificates">
              {domain.issuer} <a href={addressOf.platform('clusters')}>Clusters</a>
            </Fact>
          )}
          {domain.nextCheckAt !== '' && (
            <Fact name={hasTimedOut(settings) ? 'Timed out' : 'Times out'}>
              {hasTimedOut(settings) ? <Ago at={domain.nextCheckAt} /> : <Countdown at={domain.nextCheckAt} />}
            </Fact>
          )}
          <Fact name="History">
            <a href={addressOf.instance('dashboardDomainReady', platformId)}>State machine of the domain</a>
          </Fact>
        </dl>
      </Card>
      {domain.records.length > 0 && <Records settings={settings} />}
      <PlatformForm
        title="Domain"
        help={domainHelp}
        fields={domainFields}
        values={domainValues(settings)}
        answer={JSON.stringify(settings.conditions)}
        save={(dirty, values) => write('POST /settings/domain/save', {}, changedBody(dirty, values))}
        onSaved={onSaved}
      />
    </div>
  );
}

const Records = ({ settings: { domain } }: Pick<PlatformViewProps, 'settings'>) => (
  <Card
    title="DNS records to create"
    actions={<span class="muted small">to create by hand when there is no DNS provider</span>}
  >
    <Table
      columns={[
        { label: 'Type', cell: ({ type }) => type },
        { label: 'Name', look: 'mono', cell: ({ name }) => name },
        { label: 'Content', look: 'mono', cell: ({ content }) => content },
        { label: 'Copy', cell: ({ name, content }) => <CopyButton text={content} what={`the content of ${name}`} /> },
      ]}
      rows={domain.records}
      keyOf={({ type, content }) => `${type} ${content}`}
    />
  </Card>
);
