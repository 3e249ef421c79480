import { quoted } from '../../model/command.ts';

/** The Secret with the users of the dashboard. */
export const authSecretName = 'core-dashboard-auth';

const means: Readonly<Record<string, string>> = {
  admin: 'Reads and changes everything.',
  viewer: 'Reads states alone: no logs, no configuration, no names of repositories. Changes nothing.',
};

/** What a role of a user may; users are admins or viewers only (AUT-006). */
export const roleMeans = (role: string): string => means[role] ?? 'Nothing: this is no role of a user.';

interface UserCommand {
  readonly label: string;
  readonly command: string;
}

/** The commands that change the users; the names and passwords in them are to be replaced. */
export function userCommands(namespace: string, secret: string): readonly UserCommand[] {
  const patch = (body: object) =>
    ['kubectl', 'patch', 'secret', secret, '-n', namespace, '--type', 'merge', '-p', JSON.stringify(body)]
      .map(quoted)
      .join(' ');
  const user = (fields: object) => patch({ stringData: { 'user.NAME': JSON.stringify(fields) } });
  return [
    { label: 'Add a user, or set a password and a role anew', command: user({ role: 'viewer', password: 'PASSWORD' }) },
    { label: 'Remove a user and end their sessions', command: patch({ data: { 'user.NAME': null } }) },
  ];
}
