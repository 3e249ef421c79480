import { TextField } from '../../components/form/textField.tsx';
import type { StepProps } from './sourceFields.tsx';

/** What a new service is called, and where it listens. */
export const SettingsFields = ({ service, onChange, onLeave }: StepProps) => (
  <div class="pair">
    <TextField
      name="name"
      label="Name"
      value={service.name}
      placeholder="web"
      onValue={(name) => onChange({ name })}
      onLeave={() => onLeave('name')}
    />
    <TextField
      name="port"
      label="Port it listens on"
      value={service.port}
      placeholder="8080"
      onValue={(port) => onChange({ port })}
      onLeave={() => onLeave('port')}
    />
  </div>
);
