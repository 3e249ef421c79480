import { WebSocket } from 'ws';
import { kubeConfigOf } from '../../../runtime/services/kube/config.ts';

/** A terminal in a pod as a client of Kubernetes has it. */
export interface BareTerminal {
  readonly socket: WebSocket;
  readonly type: (text: string) => void;
  readonly resize: (cols: number, rows: number) => void;
  /** Called with each part of the output. */
  readonly listen: (output: (data: Buffer) => void) => void;
  readonly close: () => void;
}

export interface BareCommand {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

const [stdin, stdout, resize] = [0, 1, 4] as const;
const framed = (channel: number, data: string) => Buffer.concat([Buffer.of(channel), Buffer.from(data)]);

/** Runs a command over the WebSocket of `pods/exec`, with nothing between. */
export async function bareExec(kubeconfig: string, { namespace, pod, ...asked }: BareCommand): Promise<BareTerminal> {
  const config = kubeConfigOf(kubeconfig);
  const { server = '', caData = '' } = config.getCurrentCluster() ?? {};
  const words = new URLSearchParams([
    ...asked.command.map((word) => ['command', word]),
    ['container', asked.container],
    ...['stdin', 'stdout', 'tty'].map((name) => [name, 'true']),
  ]);
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/exec?${words.toString()}`;
  const socket = new WebSocket(`${server.replace(/^http/, 'ws')}${path}`, ['v5.channel.k8s.io'], {
    ca: Buffer.from(caData, 'base64'),
    headers: { authorization: `Bearer ${config.getCurrentUser()?.token ?? ''}` },
    perMessageDeflate: false,
  });
  await new Promise((open, failed) => socket.once('open', open).once('error', failed));
  return {
    socket,
    type: (text) => socket.send(framed(stdin, text)),
    resize: (cols, rows) => socket.send(framed(resize, JSON.stringify({ Width: cols, Height: rows }))),
    listen: (output) =>
      socket.on('message', (data: Buffer) => {
        if (data[0] === stdout) output(data.subarray(1));
      }),
    close: () => socket.terminate(),
  };
}
