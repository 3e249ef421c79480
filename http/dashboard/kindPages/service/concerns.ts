import type { StreamEvent } from '../../../api.ts';

const textOf = (data: object, name: string): unknown => (data as Readonly<Record<string, unknown>>)[name];

/** Whether an event is about an object of one of these kinds. */
export const ofKinds =
  (...kinds: readonly string[]) =>
  ({ data }: StreamEvent): boolean =>
    kinds.some((kind) => textOf(data, 'kind') === kind);

/** Whether an event is about one object. */
export const ofObject =
  (kind: string, name: string) =>
  ({ data }: StreamEvent): boolean =>
    textOf(data, 'kind') === kind && textOf(data, 'name') === name;

/** Whether an event is about a project. */
export const ofProject = (name: string) => ofObject('CoreProject', name);

/** The service that an instance belongs to; builds have it in a column. */
const serviceOf = (data: object): unknown => {
  const instance = textOf(data, 'instance') ?? data;
  const columns = typeof instance === 'object' && instance !== null ? textOf(instance, 'columns') : undefined;
  return typeof columns === 'object' && columns !== null ? textOf(columns, 'app') : undefined;
};

/** Whether an event is about a service or one of its builds. */
export const ofService =
  (name: string) =>
  ({ data }: StreamEvent): boolean =>
    (textOf(data, 'kind') === 'CoreApp' && textOf(data, 'name') === name) || serviceOf(data) === name;

const isDeletion = ({ event, data }: StreamEvent): boolean =>
  event === 'deleted' || (event === 'change' && data.deleted);

/** Whether an event is about a service or its pods, some of which are deleted after all other events. */
export const ofPods = (name: string) => {
  const [service, pods] = [ofService(name), ofObject('Pod', name)];
  return (event: StreamEvent): boolean => service(event) || pods(event);
};

/** Whether an event is about the deployments of a service: of records too that are gone, which name no service. */
export const ofRecords = (name: string) => {
  const [service, records] = [ofService(name), ofKinds('CoreDeployment')];
  return (event: StreamEvent): boolean => service(event) || (records(event) && isDeletion(event));
};

/** Whether an event is about console sessions, which name their service nowhere in the stream. */
export const ofConsoles = ofKinds('CoreConsoleSession');
