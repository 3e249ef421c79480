import { api } from '../../api.ts';
import { ofObject } from '../../kindPages/service/concerns.ts';
import { type ResourceReading, useResource } from '../../components/resource/reading.ts';
import { databaseMachine } from './model.ts';

/** Whether an event is about a database. */
export const ofDatabase = (name: string) => ofObject('CoreDatabase', name);

export const useDatabase = (name: string): ResourceReading =>
  useResource({
    name,
    machine: databaseMachine,
    id: `coredatabases:${name}`,
    path: api.database(name),
    pathOf: (what) => api.ofDatabase(name, what),
    isDeployed: true,
    concerns: ofDatabase(name),
  });
