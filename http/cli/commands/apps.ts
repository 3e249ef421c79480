import { group } from '../command.ts';
import { createApp } from './createApp.ts';
import { deleteApp } from './deleteApp.ts';
import { deploy } from './deploy.ts';
import { env } from './env.ts';
import { getOf, listOf, projectsListed, services, storesListed } from './lists.ts';
import { logs } from './logs.ts';
import { deployments, rollback } from './rollback.ts';
import { scale } from './scale.ts';
import { status } from './status.ts';

export const apps = group({
  name: 'apps',
  aliases: ['app', 'services', 'service'],
  about: 'Services.',
  commands: [
    listOf(services),
    getOf(services),
    createApp,
    deleteApp,
    deployments,
    // These stand at the top too.
    deploy,
    status,
    logs,
    env,
    scale,
    rollback,
  ],
});

export const projects = group({
  name: 'projects',
  aliases: ['project'],
  about: 'Projects.',
  commands: [listOf(projectsListed), getOf(projectsListed)],
});

export const stores = group({
  name: 'stores',
  aliases: ['store'],
  about: 'Object stores.',
  commands: [listOf(storesListed), getOf(storesListed)],
});
