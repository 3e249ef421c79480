import { systemNamespace } from '../../../../../crds/names.ts';
import { Card } from '../../../components/card.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { programName } from '../../../model/command.ts';
import type { Change, PodItem, Read, StatusItem } from '../../../../api.ts';
import { pathTo } from '../../../api.ts';
import { lazyPart } from '../../../components/lazy.tsx';
import { Command, CopyButton } from '../../../components/copy.tsx';
import { Fact, Moment } from '../../../components/fact.tsx';
import { isWebAddress } from '../../../model/url.ts';
import { Running } from '../../../components/running.tsx';
import { StateChip } from '../../../components/stateChip.tsx';
import { Since } from '../../../components/times.tsx';
import { Hidden, NoneYet, Value } from '../../../components/value.tsx';
import { addressOf } from '../../../routes.ts';
import { ofPods } from '../../../kindPages/service/concerns.ts';
import { useLoaded } from '../../../store/loaded.ts';
import { mayReadSensitive } from '../../../store/session.ts';
import { attemptsOf } from '../../../model/attempts.ts';
import { shownBuild } from '../../../model/cause.ts';
import { podState } from './pods.ts';
import { nextImage, runsOf } from '../../../model/runs.ts';
import { sleepOf } from './text.ts';
import type { ServiceReading } from '../reading.ts';
import { Scale } from './scale.tsx';

/** Below what most people look for. */
const attemptsHeight = 240;
const Attempts = lazyPart(async () => (await import('../../../components/attempts.tsx')).Attempts, attemptsHeight);

interface OverviewProps {
  readonly read: Read;
  readonly reading: ServiceReading;
}

/** Copies, address, source and attempts of a service. */
export const Overview = ({ read, reading }: OverviewProps) => (
  <div class="columns">
    <Facts read={read} status={reading.status.value} changes={reading.changes.value?.items ?? []} />
    <div class="stack">
      <Copies read={read} reading={reading} />
      <Attempts attempts={attemptsOf(read.status)} />
      <Command
        what="the command that shows the same"
        text={`${programName} status ${read.resource.name}`}
        kubectl={`kubectl get coreapp ${read.resource.name} -n ${systemNamespace} -o yaml`}
      />
    </div>
  </div>
);

/** Only roles that may read logs see the pods of a service (AUT-036). */
function Copies({ read, reading }: OverviewProps) {
  const { name } = read.resource;
  const isAsleep = reading.status.value?.sleeping === true;
  const isShown = mayReadSensitive();
  const loaded = useLoaded(isShown ? pathTo('GET /apps/{app}/pods', { app: name }) : null, ofPods(name));
  return (
    <Card title="Copies" actions={<Scale read={read} onSaved={reading.reload} />}>
      {isShown ? (
        <Loaded
          of={loaded}
          height={96}
          empty={
            <p class="card-body muted">{isAsleep ? 'Asleep: the next request starts a copy.' : 'No copy runs.'}</p>
          }
        >
          {({ items }) => (
            <ul>
              {items.map((pod) => (
                <Copy key={pod.name} pod={pod} />
              ))}
            </ul>
          )}
        </Loaded>
      ) : (
        <p class="card-body">
          <Hidden />
        </p>
      )}
    </Card>
  );
}

function Copy({ pod }: { readonly pod: PodItem }) {
  const { state, label, why } = podState(pod);
  return (
    <li class="line">
      <StateChip state={state} shown={label} />
      <span class="mono">{pod.name}</span>
      {why !== '' && <span>{why}</span>}
      {pod.restarts > 0 && <span class="flag">restarted {pod.restarts} times</span>}
      <span class="muted small row-end">
        {pod.node}
        {pod.startedAt !== null && (
          <>
            {' · '}
            <Since at={pod.startedAt} />
          </>
        )}
      </span>
    </li>
  );
}

interface FactsProps {
  readonly read: Read;
  readonly status: StatusItem | null;
  readonly changes: readonly Change[];
}

function Facts({ read: { resource }, status, changes }: FactsProps) {
  const { url, details, createdAt } = resource;
  const sleep = status && sleepOf(status);
  const detail = (name: string): string => (typeof details[name] === 'string' ? details[name] : '');
  return (
    <Card title="Address and source" label="Facts" look="aside">
      <dl class="facts" style={{ paddingTop: '12px' }}>
        <Fact name="Address">
          {isWebAddress(url) ? (
            <span class="copyable">
              <a href={url} target="_blank" rel="noreferrer">
                {url}
              </a>
              <CopyButton text={url} what="the address" />
            </span>
          ) : (
            <NoneYet />
          )}
        </Fact>
        {detail('source') === 'git' ? (
          <Fact name="Repository">
            <Value value={detail('repository')} redacted>
              {(repository) => (
                <>
                  <code>{repository}</code>{' '}
                  <Running
                    {...runsOf(resource, changes, { path: 'spec.source.git.branch', saved: detail('branch') })}
                  />
                </>
              )}
            </Value>
          </Fact>
        ) : (
          <Fact name="Image">
            <Value value={detail('image') || detail('resolvedImage')} redacted>
              {(saved) => <Running {...nextImage(runsOf(resource, changes, { path: 'spec.source.image', saved }))} />}
            </Value>
          </Fact>
        )}
        {status?.build && (
          <Fact name="Build">
            <a href={addressOf.buildOf(resource, status.build.name)}>{status.build.name}</a>{' '}
            <StateChip {...shownBuild({ state: status.build.phase, shown: status.build.phase, cause: status.cause })} />
            {status.build.failureReason !== '' && <div class="small">{status.build.failureReason}</div>}
          </Fact>
        )}
        {sleep && (
          <Fact name="Sleep">
            {sleep.label}
            <div class="small muted">
              {sleep.text}
              {sleep.isOfCluster && (
                <>
                  {' '}
                  <a href={addressOf.platform('clusters')}>Clusters</a>
                </>
              )}
            </div>
          </Fact>
        )}
        <Fact name="Port">
          <Running
            {...runsOf(resource, changes, { path: 'spec.port', saved: String(details['port']), absent: '8080' })}
          />
        </Fact>
        <Fact name="Created">
          <Moment at={createdAt} />
        </Fact>
      </dl>
    </Card>
  );
}
