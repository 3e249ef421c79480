import { Type } from '@sinclair/typebox';

const host = '[a-zA-Z0-9]+(([.]|-+)[a-zA-Z0-9]+)*|\\\\[[a-fA-F0-9:]+\\\\]';
const part = '[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*';
const tag = '[a-zA-Z0-9_][-.a-zA-Z0-9_]{0,127}';
const digest = '[a-zA-Z0-9]+([-_+.][a-zA-Z0-9]+)*:[a-fA-F0-9]{32,}';
const pattern = `^((${host})(:[0-9]+)?/)?${part}(/${part})*(:${tag})?(@${digest})?$`;

/**
 * A rule instead of a pattern, so that the refusal is a readable sentence. The length is limited because of the cost of
 * the rule.
 */
export const imageReference = (description: string, options: object = {}) =>
  Type.String({
    description,
    maxLength: 512,
    ...options,
    'x-kubernetes-validations': [
      {
        rule: `self == '' || self.matches('${pattern}')`,
        message:
          'must be an image reference such as registry.example/team/app:tag, without https:// and without spaces',
      },
    ],
  });
