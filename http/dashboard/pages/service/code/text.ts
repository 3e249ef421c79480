import type { Summary } from '../../../../api.ts';
import { quoted } from '../../../model/command.ts';

/** The command that reads the token of a function, for whoever may read its Secret. */
export const tokenCommand = ({ name, project, environment }: Summary): string =>
  `${[
    'kubectl',
    'get',
    'secret',
    `${name}-trigger`,
    '-n',
    `${project}-${environment}`,
    '-o',
    'jsonpath={.data.CORE_TRIGGER_TOKEN}',
  ]
    .map(quoted)
    .join(' ')} | base64 -d`;
export const noScheduleText = 'No schedule calls the function.';
export const onlyFunctions = 'Only a function has code; other services run an image or a repository.';
