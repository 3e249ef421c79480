import type { Came } from './send.ts';

const carried = [
  'x-content-type-options: nosniff',
  'x-frame-options: deny',
  'referrer-policy: same-origin',
  'content-security-policy: ',
] as const;

/** What a body must never tell: where a program lies, and what it was doing. */
const inner = [/\n\s+at .+[:(]\d+/, /node_modules/, /file:\/\//, /\.[cm]?[jt]sx?:\d+/, /\/(home|tmp|root|usr|opt)\//];

/** Answers of a connection, without those that only say that more may be sent. */
const answersIn = (text: string): readonly string[] =>
  text.split(/(?=^HTTP\/1\.1 \d{3} )/m).filter((one) => one !== '' && !/^HTTP\/1\.1 1\d\d /.test(one));

export const statusesOf = ({ text }: Came): readonly number[] =>
  answersIn(text).map((answer) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0));

/** What is wrong with what came of a request; nothing, as a rule. */
export function faultsOf(came: Came): readonly string[] {
  const hung = came.ended === 'hung' ? ['it was neither answered nor closed in time'] : [];
  return [...hung, ...answersIn(came.text).flatMap(faultsOfAnswer)];
}

function faultsOfAnswer(answer: string): readonly string[] {
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
  const lines = head.toLowerCase();
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'nothing';
  return [
    ...(status === '500' || status === 'nothing' ? [`it was answered with ${status}`] : []),
    ...carried
      .filter((line) => !lines.includes(`\r\n${line}`))
      .map((line) => `the answer has no ${line.split(':')[0]}`),
    ...(/\r\n(x-injected|location):/.test(lines) ? ['a header was put into the answer'] : []),
    ...inner.filter((pattern) => pattern.test(body)).map((pattern) => `the body tells ${pattern}`),
  ];
}
