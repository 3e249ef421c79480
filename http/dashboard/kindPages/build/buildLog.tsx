import { useSignal } from '@preact/signals';
import type { BuildRead } from '../../../api.ts';
import { api } from '../../api.ts';
import { LogView } from '../../components/log/logView.tsx';
import { useLog } from '../../components/log/useLog.ts';
import { Note } from '../../components/note.tsx';
import { Select } from '../../components/select.tsx';

const containers = ['builder', 'git'] as const;
type Container = (typeof containers)[number];

/** The log of a build, of either of its containers. */
export function BuildLog({ build }: { readonly build: BuildRead }) {
  const container = useSignal<Container>('builder');
  const path = api.log(build.name, container.value);
  const isLive = build.state === 'Running';
  const run = build.startedAt ?? '';
  const log = useLog({ path, follow: isLive, run }).value;
  return (
    <LogView
      label={`Log of ${container.value}`}
      log={log}
      of={`${path} ${run}`}
      isLive={isLive}
      download={
        <a class="button button-small" href={path} download={`${build.name}-${container.value}.log`}>
          Download
        </a>
      }
      source={
        <Select
          label="Container"
          value={container.value}
          options={containers}
          onChoose={(name) => (container.value = containers.find((one) => one === name) ?? 'builder')}
        />
      }
    >
      {build.lastLogLine !== '' && (
        <div class="log-note">
          <Note tone={build.state === 'Failed' ? 'bad' : 'active'}>
            Last line: <code>{build.lastLogLine}</code>
          </Note>
        </div>
      )}
    </LogView>
  );
}
