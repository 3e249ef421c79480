import type { IAMClient } from '@aws-sdk/client-iam';
import type { CloudShape } from '../cloud.ts';
import { CloudFailed } from '../cloud.ts';
import type { AwsClients, IamSdk } from './clients.ts';
import { codeOf, statusIn } from './failure.ts';

/** The only policy of each user that Core creates. */
const policyName = 'core';

const gone = 'NoSuchEntity';
const orNull = async <A>(sent: Promise<A>): Promise<A | null> => {
  try {
    return await sent;
  } catch (error) {
    // The SDK names the exception after its shape, the wire after its code.
    if ([gone, `${gone}Exception`].includes(codeOf(error)) || statusIn(error) === 404) return null;
    throw error;
  }
};

type Users = Pick<CloudShape, 'putUser' | 'accessKeys' | 'issueKey' | 'removeKey' | 'removeUser'>;

export const awsUsers = ({ iam }: AwsClients): Users => ({
  putUser: (account, { name, policy }) =>
    iam(account, async ({ CreateUserCommand, PutUserPolicyCommand }, client, abortSignal) => {
      await client.send(new CreateUserCommand({ UserName: name }), { abortSignal }).catch((error: unknown) => {
        if (!codeOf(error).startsWith('EntityAlreadyExists')) throw error;
      });
      const put = new PutUserPolicyCommand({ UserName: name, PolicyName: policyName, PolicyDocument: policy });
      await client.send(put, { abortSignal });
    }),

  accessKeys: (account, user) => iam(account, (sdk, client, signal) => keysOf(sdk, client, user, signal)),

  issueKey: (account, user) =>
    iam(account, async ({ CreateAccessKeyCommand }, client, abortSignal) => {
      const { AccessKey } = await client.send(new CreateAccessKeyCommand({ UserName: user }), { abortSignal });
      const { AccessKeyId, SecretAccessKey } = AccessKey ?? {};
      if (AccessKeyId === undefined || SecretAccessKey === undefined)
        throw new CloudFailed({ code: 'NoKey', status: null, message: 'the cloud issued no key' });
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey };
    }),

  removeKey: (account, user, accessKeyId) =>
    iam(account, async ({ DeleteAccessKeyCommand }, client, abortSignal) => {
      await orNull(
        client.send(new DeleteAccessKeyCommand({ UserName: user, AccessKeyId: accessKeyId }), { abortSignal }),
      );
    }),

  removeUser: (account, user) =>
    iam(account, async (sdk, client, abortSignal) => {
      const { DeleteAccessKeyCommand, DeleteUserCommand, DeleteUserPolicyCommand } = sdk;
      const keys = await keysOf(sdk, client, user, abortSignal);
      if (keys === null) return;
      for (const AccessKeyId of keys)
        await orNull(client.send(new DeleteAccessKeyCommand({ UserName: user, AccessKeyId }), { abortSignal }));
      const policy = { UserName: user, PolicyName: policyName };
      await orNull(client.send(new DeleteUserPolicyCommand(policy), { abortSignal }));
      await orNull(client.send(new DeleteUserCommand({ UserName: user }), { abortSignal }));
    }),
});

async function keysOf(
  { ListAccessKeysCommand }: IamSdk,
  client: IAMClient,
  user: string,
  abortSignal: AbortSignal,
): Promise<readonly string[] | null> {
  const answer = await orNull(client.send(new ListAccessKeysCommand({ UserName: user }), { abortSignal }));
  return (
    answer &&
    (answer.AccessKeyMetadata ?? []).flatMap(({ AccessKeyId }) => (AccessKeyId === undefined ? [] : [AccessKeyId]))
  );
}
