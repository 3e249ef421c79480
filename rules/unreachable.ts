/** Why a connection failed, by the code of the error. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  EPROTO: 'it does not speak TLS as it should: does its address begin with http://?',
};

/** Why a server is unreachable, as text; undefined for an unknown code. */
export const unreachableWords = (code: string): string | undefined => words[code];
