import type { Summary } from '../../api.ts';
import { addressOf } from '../routes.ts';
import { stateWord } from '../words/state.ts';
import { waits } from '../words/project.ts';
import { Columns } from './columns.tsx';
import { StateChip } from './stateChip.tsx';
import { Since } from './times.tsx';

interface ServiceTableProps {
  readonly services: readonly Summary[];
  /** What people call a project; left out where all services are of one. */
  readonly projectWord?: (name: string) => string;
}

export const isWebAddress = (url: string): boolean => /^https?:\/\//.test(url);

/** Services with their states; on a narrow page each one takes two lines. */
export const ServiceTable = ({ services, projectWord }: ServiceTableProps) => (
  <table class="rows">
    <Columns names={['State', 'Service', ...(projectWord ? ['Project'] : []), 'Source', 'Message', 'Address', 'Age']} />
    <tbody>
      {services.map((service) => (
        <tr key={service.name}>
          <td>
            <StateChip state={service.state} shown={stateWord(service.state)} />
          </td>
          <td>
            <a href={addressOf.service(service)} class="strong">
              {service.displayName}
            </a>
            {waits(service) && service.state !== 'draft' && <span class="flag">changes not deployed</span>}
          </td>
          {projectWord && (
            <td class="small">
              <a href={addressOf.project(service)}>
                {projectWord(service.project)} / {service.environment}
              </a>
            </td>
          )}
          <td class="small">{sourceWord(service)}</td>
          <td class="small">{service.message}</td>
          <td class="small">
            {isWebAddress(service.url) && (
              <a href={service.url} target="_blank" rel="noreferrer">
                {service.url}
              </a>
            )}
          </td>
          <td class="nowrap small muted">
            <Since at={service.createdAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const sourceWords: Readonly<Record<string, string>> = { image: 'Image', git: 'Repository', function: 'Function' };

const sourceWord = ({ details }: Summary): string => sourceWords[String(details['source'])] ?? '';
