import { read, said, type SomeSchemas } from '../schema.ts';
import { done } from '../../routes/resource.ts';
import { dnsAsked, domainAsked, registryAsked, settings } from '../../routes/settings/shapes.ts';

const group = 'Platform';
const saved = { 200: said(done, 'It is saved.') };

/** The settings of the whole platform (document 001, Dashboard behaviors). A field left out stays, an empty one clears. */
export const settingsSchemas = {
  'GET /settings': {
    group,
    summary: 'Reads the settings of the platform, and how its domain and its connectors stand.',
    path: {},
    answers: read(settings, 'The settings; of Secrets the names of their keys alone.'),
  },
  'POST /settings/domain/save': {
    group,
    summary: 'Saves under which address the dashboard is published, and how.',
    path: {},
    body: { schema: domainAsked },
    answers: saved,
  },
  'POST /settings/dns/save': {
    group,
    summary: 'Saves the credentials of the DNS provider, and connects it.',
    path: {},
    body: { schema: dnsAsked },
    answers: saved,
  },
  'POST /settings/dns/disconnect': {
    group,
    summary: 'Disconnects the DNS provider; its Secret stays.',
    path: {},
    answers: saved,
  },
  'POST /settings/registry/save': {
    group,
    summary: 'Saves the registry of builds, and the login to it.',
    path: {},
    body: { schema: registryAsked },
    answers: saved,
  },
} as const satisfies SomeSchemas;
