import type { Read } from '../../../api.ts';
import { pathTo } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ofService } from '../../kindPages/service/concerns.ts';
import { DownloadText } from '../../components/downloadText.tsx';
import { withParam } from '../../components/filter/query.ts';
import type { Log } from '../../components/log/log.ts';
import { LogView } from '../../components/log/logView.tsx';
import { Select } from '../../components/select.tsx';
import { Hidden } from '../../components/value.tsx';
import { address, go } from '../../router.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayReadSensitive } from '../../store/session.ts';
import { useServiceLog } from './serviceLog.ts';

interface LogsProps {
  readonly read: Read;
}

/** The log of every copy of a service, for those who may read logs. */
export const Logs = ({ read }: LogsProps) =>
  mayReadSensitive() ? (
    <LogOfCopies name={read.resource.name} />
  ) : (
    <Card label="Log" isPadded>
      <Hidden />
    </Card>
  );

const ofCopy = (log: Log, pod: string): Log =>
  pod === '' ? log : { ...log, lines: log.lines.filter(({ from }) => from?.pod === pod), dropped: 0 };

const textOf = ({ lines }: Log): string =>
  lines.map(({ text, from }) => `${from === undefined ? '' : `${from.t} ${from.pod} `}${text}\n`).join('');

/** The lines of all copies, or of the one that the address names. */
function LogOfCopies({ name }: { readonly name: string }) {
  const pod = new URLSearchParams(address.value.search).get('pod') ?? '';
  const log = ofCopy(useServiceLog(name), pod);
  return (
    <LogView
      label={pod === '' ? 'Log of all copies' : `Log of ${pod}`}
      log={log}
      of={`${name} ${pod}`}
      isLive
      download={<DownloadText text={() => textOf(log)} file={`${pod === '' ? name : pod}.log`} />}
      source={<CopyChoice name={name} chosen={pod} />}
    />
  );
}

function CopyChoice({ name, chosen }: { readonly name: string; readonly chosen: string }) {
  const { value } = useLoaded(pathTo('GET /apps/{app}/pods', { app: name }), ofService(name));
  const names = (value?.items ?? []).map((pod) => pod.name);
  const others = chosen === '' || names.includes(chosen) ? [] : [chosen];
  return (
    <Select
      label="Copy"
      value={chosen}
      options={[{ value: '', label: 'All copies' }, ...names, ...others]}
      onChoose={(pod) => go(withParam(address.peek(), 'pod', pod), 'replace')}
    />
  );
}
