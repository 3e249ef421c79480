import { Optional as optional, Type } from '@sinclair/typebox';
import { conditions, defineKind, shape } from './kind.ts';

/** A log of network traffic; its fields are open. */
export const coreNetworkLog = defineKind({
  kind: 'CoreNetworkLog',
  plural: 'corenetworklogs',
  shortNames: ['cnl'],
  describes: 'A log of network traffic, of open fields. Kept for compatibility; nothing writes it.',
  columns: [],
  spec: shape.open('What is logged; any field is kept.'),
  status: Type.Object(
    { conditions: optional(conditions) },
    {
      description: 'What was last observed of the log; any field is kept.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
  ),
});
