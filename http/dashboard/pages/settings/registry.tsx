import { act, api } from '../../api.ts';
import { changedBody, registryFields, registryValues } from '../../words/platform.ts';
import { PlatformForm } from './platformForm.tsx';
import type { PlatformViewProps } from './platformView.ts';

/** The registry that builds push to, and that nodes pull from (PLC-066). */
export const Registry = ({ settings, onSaved }: PlatformViewProps) => (
  <div class="stack narrow">
    <PlatformForm
      title="Registry"
      means={
        settings.registry.hasPassword
          ? `The login is kept in the Secret ${settings.secrets.registry.name}.`
          : 'Builds push without a login.'
      }
      fields={registryFields}
      values={registryValues(settings)}
      answer={JSON.stringify([settings.registry, settings.conditions])}
      what="registry"
      isStored={settings.registry.hasPassword}
      save={(dirty, values) => act(api.ofSettings('registry/save'), changedBody(dirty, values))}
      onSaved={onSaved}
    />
  </div>
);
