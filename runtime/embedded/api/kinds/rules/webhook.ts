import { type Json, isJson, listAt } from '../../json.ts';
import { required } from '../../schema/cause.ts';
import { type KindRules, eachItem } from './rule.ts';

const everywhere = { namespaceSelector: {}, objectSelector: {} };
const scoped = (rule: Json): Json => ({ scope: '*', ...rule });

const webhooks = (defaults: Json): KindRules => ({
  fill: (object) => ({
    ...object,
    ...eachItem(object, 'webhooks', (one) => ({
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      timeoutSeconds: 10,
      ...everywhere,
      ...defaults,
      ...one,
      ...eachItem(one, 'rules', scoped),
    })),
  }),
  faults: (object) =>
    listAt(object, 'webhooks').flatMap((one, index) =>
      isJson(one) && listAt(one, 'admissionReviewVersions').length === 0
        ? [required(`webhooks[${index}].admissionReviewVersions`, 'must specify one of v1, v1beta1')]
        : [],
    ),
});

export const validatingWebhooks = webhooks({});
export const mutatingWebhooks = webhooks({ reinvocationPolicy: 'Never' });
