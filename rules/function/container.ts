import type { AppSpec } from '../../crds/coreApp.ts';
import { hashOf } from '../canonical.ts';
import { functionConfigName, triggerSecretName, triggerToken } from './names.ts';
import { runtimes } from './runtimes.ts';
import { isTriggered } from './triggered.ts';

const folder = '/function';
const volume = 'function';

const tokenOf = (app: string) => ({
  name: triggerToken,
  valueFrom: { secretKeyRef: { name: triggerSecretName(app), key: triggerToken } },
});

const mounts = [{ name: volume, mountPath: folder, readOnly: true }];
const volumesOf = (app: string) => [{ name: volume, configMap: { name: functionConfigName(app) } }];

/** The container fields that run a function; none for other services. */
export function runnerOf(app: string, spec: AppSpec) {
  const { function: code } = spec.source;
  if (!code) return { container: {}, env: [], pod: {} };
  const { program, runner } = runtimes[code.runtime];
  return {
    container: { command: [...program, `${folder}/${runner}`], volumeMounts: mounts },
    env: isTriggered(spec) ? [tokenOf(app)] : [],
    pod: { volumes: volumesOf(app) },
  };
}

/** A hash of the code, whose change replaces pods. Empty for other services. */
export const codeRevision = ({ source: { function: code } }: AppSpec): string =>
  code ? hashOf([code.code, code.mode ?? 'http', code.handler ?? '']).slice(0, 16) : '';

/** The pod of one scheduled call, without the fields common to a project's pods. */
export function callerOf(app: string, { spec, trigger, url }: Call) {
  const { function: code } = spec.source;
  if (!code) return {};
  const { image, program, caller } = runtimes[code.runtime];
  return {
    restartPolicy: 'Never',
    containers: [
      {
        name: 'call',
        image,
        command: [...program, `${folder}/${caller}`, url, trigger],
        env: [tokenOf(app)],
        volumeMounts: mounts,
      },
    ],
    volumes: volumesOf(app),
  };
}

interface Call {
  readonly spec: AppSpec;
  readonly trigger: string;
  readonly url: string;
}
