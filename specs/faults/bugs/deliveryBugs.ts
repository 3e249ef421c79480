import * as verdict from '../../../rules/deploy/verdict.ts';
import { type Bug, replaced } from './bug.ts';

/** Bugs of what webhooks announce of a deploy, each with the plan that shows it. */
export const deliveryBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'succeeded before its build',
    family: 'wrong rule',
    text: 'a deploy has succeeded once its service is ready, whatever its build does',
    plan: 'webhookDelivery / a deploy whose build fails',
    plant: replaced(verdict, 'verdictOfDeploy', (original) => (seen) => original({ ...seen, build: null })),
  },
];
