/** A refusal of the cloud, with the code of S3 or IAM. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const refused = {
  noBucket: (bucket: string) => new Refusal(404, 'NoSuchBucket', `The bucket ${bucket} does not exist`),
  noKey: () => new Refusal(404, 'NoSuchKey', 'The key does not exist'),
  noUpload: () => new Refusal(404, 'NoSuchUpload', 'The upload does not exist'),
  noEntity: (user: string) => new Refusal(404, 'NoSuchEntity', `The user ${user} cannot be found`),
  denied: (action: string) => new Refusal(403, 'AccessDenied', `Access denied: ${action}`),
  unknownKey: () => new Refusal(403, 'InvalidAccessKeyId', 'The access key is not known here'),
  /** Refuses what is not supported, without any change. */
  notServed: (what: string) => new Refusal(501, 'NotImplemented', `This cloud does not serve ${what}`),
  wrongSignature: () => new Refusal(403, 'SignatureDoesNotMatch', 'The signature does not match the request'),
} as const;
