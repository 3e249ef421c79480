import type { Settled } from '../../rules/service/settled.ts';
import { noAdditions } from '../../rules/service/template.ts';
import { neverSleeps } from '../../rules/service/wakePlan.ts';

/** What a service of one copy runs with that asks for nothing besides its image. */
export const plainSettled = (image: string, settled: Partial<Settled> = {}): Settled => ({
  image,
  placement: { region: '', tags: [] },
  deployRevision: '',
  variablesRevision: '',
  injected: [],
  secretData: {},
  pullConfig: null,
  host: '',
  replicas: 1,
  rollout: { stands: '', added: noAdditions, hasRoom: () => true },
  wake: neverSleeps,
  function: null,
  ...settled,
});
