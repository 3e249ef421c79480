import { Refusal } from '../answer.ts';
import type { Deliveries } from '../deliveries.ts';
import type { Faults } from '../faults.ts';
import type { Route } from '../route.ts';

/** For testers on this machine: fault injection, the delivered events and the waiting ones. */
export function testingRoutes(faults: Faults, deliveries: Deliveries): readonly Route[] {
  const rules = () => ({ status: 200, body: { rules: faults.rules() } });
  return [
    { method: 'GET', path: '/testing/faults', access: 'local', run: rules },
    {
      method: 'PUT',
      path: '/testing/faults',
      access: 'local',
      run: async ({ body }) => {
        faults.set(await body());
        return rules();
      },
    },
    {
      method: 'DELETE',
      path: '/testing/faults',
      access: 'local',
      run: () => {
        faults.set({ rules: [] });
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path: '/testing/deliveries',
      access: 'local',
      run: () => ({ status: 200, body: { deliveries: deliveries.all(), waiting: deliveries.waiting() } }),
    },
    {
      method: 'POST',
      path: '/testing/deliveries/:id/redeliver',
      access: 'local',
      run: async ({ part }) => {
        const delivery = await deliveries.redeliver(part('id'));
        if (delivery === null) throw new Refusal(404, 'no delivery of that id is kept, or nobody listens');
        return { status: 200, body: delivery };
      },
    },
  ];
}
