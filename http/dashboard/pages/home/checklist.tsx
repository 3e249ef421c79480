import type { Summary } from '../../../api.ts';
import { pathTo } from '../../api.ts';
import { isWebAddress } from '../../model/url.ts';
import { Icon } from '../../components/icon.tsx';
import { addressOf } from '../../routes.ts';
import { ofService } from '../../kindPages/service/concerns.ts';
import { useLoaded } from '../../store/loaded.ts';
import { detailOf } from '../../model/details.ts';
import { awaitsPush, type Step, stepsOf } from './text.ts';
import type { Sign as SignName, Tone } from '../../model/state.ts';
import { PushAddress } from '../../components/pushAddress.tsx';

interface ChecklistProps {
  readonly service: Summary;
  readonly gitHost: string;
}

const looks: Readonly<Record<Step['is'], readonly [Tone, SignName]>> = {
  done: ['good', 'check'],
  current: ['waiting', 'hourglass'],
  failed: ['bad', 'cross'],
  later: ['idle', 'ring'],
};

/** How far the first service is, as it happens. */
export function Checklist({ service, gitHost }: ChecklistProps) {
  const { name } = service;
  const build = useLoaded(pathTo('GET /apps/{app}/status', { app: name }), ofService(name)).value?.build ?? null;
  const steps = stepsOf(service, build);
  const isRunning = service.state === 'ready';
  const why = build?.phase === 'Failed' ? build.failureReason : service.message;
  return (
    <>
      <div role="status">
        <ul class="checklist">
          {steps.map(({ label, is }) => (
            <li key={label} data-tone={looks[is][0]} class={is === 'later' ? 'muted' : ''}>
              <Icon name={looks[is][1]} /> {label}
              {label === 'Running' && isRunning && isWebAddress(service.url) && (
                <>
                  {' '}
                  at <a href={service.url}>{service.url}</a>
                </>
              )}
            </li>
          ))}
        </ul>
      </div>
      {awaitsPush(service, build) ? (
        <PushAddress
          gitHost={gitHost}
          repository={detailOf(service, 'repository')}
          branch={detailOf(service, 'branch')}
        />
      ) : (
        !isRunning && <p>{why}</p>
      )}
      {isRunning && !isWebAddress(service.url) && (
        <p>
          The service has no address yet: set a host in its{' '}
          <a href={addressOf.service(service, 'settings')}>settings</a>.
        </p>
      )}
      <p>
        <a class="button" href={addressOf.service(service)}>
          Open {service.displayName}
        </a>
      </p>
    </>
  );
}
