import type { CloudModel } from '../model.ts';
import { userArn } from '../policy.ts';
import { refused, Refusal } from '../refusal.ts';
import type { Key } from '../state.ts';
import type { Xml } from './xml.ts';

export const iamNamespace = 'https://iam.amazonaws.com/doc/2010-05-08/';

type Fields = Readonly<Record<string, string>>;
type Answered = readonly (Xml | string | null)[] | null;

const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

interface Action {
  /** The fields that it accepts, besides its name and version. */
  readonly fields: readonly string[];
  /** Performs it; returns the content of its result, null for none. */
  readonly act: (model: CloudModel, caller: Key, fields: Fields) => Answered;
}

const actions: Readonly<Record<string, Action>> = {
  CreateUser: {
    fields: ['UserName'],
    act: (model, caller, { UserName = '' }) => {
      model.makeUser(caller, UserName);
      return [['User', ...userOf(caller, UserName)]];
    },
  },
  PutUserPolicy: {
    fields: ['UserName', 'PolicyName', 'PolicyDocument'],
    act: (model, caller, { UserName = '', PolicyName = '', PolicyDocument = '' }) => {
      model.putPolicy(caller, UserName, { name: PolicyName, document: PolicyDocument });
      return null;
    },
  },
  DeleteUserPolicy: {
    fields: ['UserName', 'PolicyName'],
    act: (model, caller, { UserName = '', PolicyName = '' }) => {
      model.removePolicy(caller, UserName, PolicyName);
      return null;
    },
  },
  ListAccessKeys: {
    fields: ['UserName'],
    act: (model, caller, { UserName = '' }) => [
      [
        'AccessKeyMetadata',
        ...model
          .accessKeys(caller, UserName)
          .map(({ id, createdAt }): Xml => [
            'member',
            ['UserName', UserName],
            ['AccessKeyId', id],
            ['Status', 'Active'],
            ['CreateDate', time(createdAt)],
          ]),
      ],
      ['IsTruncated', 'false'],
    ],
  },
  CreateAccessKey: {
    fields: ['UserName'],
    act: (model, caller, { UserName = '' }) => {
      const { id, secret, createdAt } = model.issueKey(caller, UserName);
      return [
        [
          'AccessKey',
          ['UserName', UserName],
          ['AccessKeyId', id],
          ['Status', 'Active'],
          ['SecretAccessKey', secret],
          ['CreateDate', time(createdAt)],
        ],
      ];
    },
  },
  DeleteAccessKey: {
    fields: ['UserName', 'AccessKeyId'],
    act: (model, caller, { UserName = '', AccessKeyId = '' }) => {
      model.removeKey(caller, UserName, AccessKeyId);
      return null;
    },
  },
  DeleteUser: {
    fields: ['UserName'],
    act: (model, caller, { UserName = '' }) => {
      model.removeUser(caller, UserName);
      return null;
    },
  },
};

const userOf = ({ account }: Key, name: string): readonly Xml[] => [
  ['Path', '/'],
  ['UserName', name],
  ['UserId', name],
  ['Arn', userArn(account, name)],
  ['CreateDate', time(0)],
];

/** Answers one request of the IAM API, which is a form. */
export function iamAnswer(model: CloudModel, caller: Key, body: string): Xml {
  const fields = Object.fromEntries(new URLSearchParams(body));
  const { Action = '' } = fields;
  const action = Object.hasOwn(actions, Action) ? actions[Action] : undefined;
  if (!action) throw new Refusal(400, 'InvalidAction', `The action ${Action} is not served here`);
  const known = ['Action', 'Version', ...action.fields];
  const other = Object.keys(fields).find((name) => !known.includes(name));
  if (other !== undefined) throw refused.notServed(`the field ${other} with ${Action}`);
  const result = action.act(model, caller, fields);
  const answered: readonly Xml[] = result === null ? [] : [[`${Action}Result`, ...result]];
  return [`${Action}Response`, ...answered, ['ResponseMetadata', ['RequestId', 'local']]];
}
