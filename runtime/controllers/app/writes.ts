import type { AppStatus, CoreApp } from '../../../crds/coreApp.ts';
import type { Provision } from '../../../crds/provisioning.ts';
import type { ServiceAction } from '../../../machines/names.ts';
import { revisionOf } from '../../../rules/draftDeploy/stored.ts';
import { attemptEnded, attemptStarted, errorRecorded } from '../../../rules/provision/attempts.ts';
import type { ServiceFacts } from '../../../rules/service/facts.ts';
import { hindranceIn } from '../../../rules/service/hindrance.ts';
import type { Acting } from '../../lifecycle.ts';
import { specOf } from './gate.ts';
import { buildOfSettings } from './source.ts';

type Fields = { readonly [F in keyof AppStatus]?: AppStatus[F] | null };
type Acts = Acting<CoreApp, ServiceFacts>;

/** What hinders it, in the words of Ready; null where nothing does. */
function hindranceText({ around, gate }: ServiceFacts): string | null {
  if (around.is !== 'known') return null;
  const seen = { ...around.value, gate };
  return hindranceIn(seen)?.message(seen).text ?? null;
}

/** The attempts, with the current hindrance as an error of the one under way. */
function withError({ object, facts, at }: Acts): Provision | undefined {
  const { provision } = object.status ?? {};
  const message = hindranceText(facts);
  return message === null ? provision : errorRecorded(provision, { recordedAt: at, message });
}

/** An attempt, with the deploy and the build that it is about. */
function started({ object, reader, at }: Acts): Fields {
  const provision = attemptStarted(object.status?.provision, at);
  const build = buildOfSettings({ ...object, spec: specOf(object) }, reader)?.metadata.name ?? '';
  return { provision: { ...provision, buildRef: build, deploymentRef: revisionOf(object) } };
}

const nothing = () => ({});

/** What each named action writes. Actions that only act write nothing. */
export const writes: Readonly<Record<ServiceAction, (acting: Acts) => Fields>> = {
  applyWorkload: nothing,
  deleteWorkload: nothing,
  startAttempt: started,
  recordFailure: (acting) => {
    const provision = withError(acting);
    return provision === undefined ? {} : { provision };
  },
  // What ends an attempt is its last error: one write of the field holds both.
  failAttempt: (acting) => ({
    provision: attemptEnded(withError(acting), { at: acting.at, phase: 'Failed', summary: acting.text }),
  }),
  succeedAttempt: ({ object, at }) => ({
    provision: attemptEnded(object.status?.provision, { at, phase: 'Succeeded', summary: 'Provisioned' }),
  }),
};
