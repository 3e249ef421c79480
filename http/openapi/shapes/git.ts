import { Type } from '@sinclair/typebox';
import { text } from '../kit.ts';

const id = Type.Integer({ minimum: 1, description: 'An installation of the application at the Git host.' });

export const installation = Type.Object(
  { id, account: text('The owner of the repositories.') },
  { title: 'GitInstallation' },
);

export const installationAsked = Type.Object({ installationID: id });
