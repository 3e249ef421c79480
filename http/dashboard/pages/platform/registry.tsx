import { useServices } from '../../kindPages/lists.ts';
import { changedBody, registryFields, registryValues } from './model.ts';
import { restartOfServices } from '../../model/restart.ts';
import { PlatformForm } from './platformForm.tsx';
import type { PlatformViewProps } from './platformView.ts';
import { write } from '../../api.ts';

/** The registry that builds push to, and that nodes pull from (PLC-066). */
export function Registry({ settings, onSaved }: PlatformViewProps) {
  const built = useServices().value?.items.filter(({ details }) => details['source'] === 'git') ?? [];
  const question = () => restartOfServices(built, 'Without a registry of their own they are built anew');
  return (
    <div class="stack narrow">
      <PlatformForm
        title="Registry"
        help={
          settings.registry.hasPassword
            ? `The login is kept in the Secret ${settings.secrets.registry.name}.`
            : 'Builds push without a login.'
        }
        fields={registryFields}
        values={registryValues(settings)}
        answer={JSON.stringify([settings.registry, settings.conditions])}
        what="registry"
        isStored={settings.registry.hasPassword}
        question={(dirty) => (dirty.includes('repository') ? question() : null)}
        save={(dirty, values) => write('POST /settings/registry/save', {}, changedBody(dirty, values))}
        onSaved={onSaved}
      />
    </div>
  );
}
