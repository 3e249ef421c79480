import { api } from '../../api.ts';
import { ofObject } from '../../kindPages/service/concerns.ts';
import { type ResourceReading, useResource } from '../../components/resource/reading.ts';
import { objectStoreMachine } from '../../model/objectStore.ts';

/** Whether an event is about an object store. */
export const ofObjectStore = (name: string) => ofObject('CoreObjectStore', name);

export const useObjectStore = (name: string): ResourceReading =>
  useResource({
    name,
    machine: objectStoreMachine,
    id: `coreobjectstores:${name}`,
    path: api.objectStore(name),
    pathOf: (what) => api.ofObjectStore(name, what),
    isDeployed: true,
    concerns: ofObjectStore(name),
  });
