import type { Read } from '../../../../api.ts';
import { isOfMachine } from '../../../../../rules/service/machineHosts.ts';
import { fieldsIn, textIn } from '../../../model/details.ts';
import { appliesOf, appliesWord, atOnceWord, settingsTitle } from '../../../model/gate.ts';
import { atOnceFields, type Field, onDeployFields } from '../../../model/settingFields.ts';

const hostIn = ({ resource, spec }: Read): string =>
  textIn(fieldsIn(spec['networking'])['host']) || (URL.canParse(resource.url) ? new URL(resource.url).hostname : '');

/** The settings that a service has: a host of the machine has no certificate, whatever is set. */
function fieldsFor(fields: readonly Field[], read: Read): readonly Field[] {
  const host = hostIn(read);
  const own = fields.filter(({ source }) => source === undefined || source === read.resource.details['source']);
  if (!isOfMachine(host)) return own;
  const means = `${host} is a host of this machine and is served over HTTP.`;
  return own
    .filter(({ name }) => name !== 'tls')
    .map((field) => (field.name === 'host' ? { ...field, help: means } : field));
}

interface SettingsCard {
  readonly title: string;
  /** When what is saved of it applies. */
  readonly help: string;
  readonly fields: readonly Field[];
}

/** The settings of a service by when they apply, which is the same for all but where some wait for a deploy. */
export function settingsCards(read: Read): readonly SettingsCard[] {
  const [atOnce, onDeploy] = [fieldsFor(atOnceFields, read), fieldsFor(onDeployFields, read)];
  const waiting = { title: settingsTitle(read.resource), help: appliesWord(read.resource) };
  return appliesOf(read.resource) === 'onDeploy'
    ? [
        { title: 'At once', help: atOnceWord(read.resource), fields: atOnce },
        { ...waiting, fields: onDeploy },
      ]
    : [{ ...waiting, fields: [...onDeploy, ...atOnce] }];
}
