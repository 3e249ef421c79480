import type { AppStatus, CoreApp } from '../../../../crds/coreApp.ts';
import type { ServiceAction } from '../../../../machines/names.ts';
import { revisionOf } from '../../../../rules/draftDeploy/stored.ts';
import type { ServiceFacts } from '../../../../rules/service/facts.ts';
import { hindranceIn } from '../../../../rules/service/hindrance.ts';
import type { Acting } from '../../../contract/lifecycle.ts';
import { attemptWrites } from '../../provisioned/attempts.ts';
import { specOf } from '../../../../rules/service/deployed.ts';
import { buildOfSettings } from '../observe/source.ts';

type Fields = { readonly [F in keyof AppStatus]?: AppStatus[F] | null };
type Acts = Acting<CoreApp, ServiceFacts>;

/** What hinders it, in the words of Ready; null where nothing does. */
function hindranceText({ around, gate }: ServiceFacts): string | null {
  if (around.is !== 'known') return null;
  const seen = { ...around.value, gate };
  return hindranceIn(seen)?.message(seen).text ?? null;
}

const attempts = attemptWrites<CoreApp, ServiceFacts>({ messageOf: hindranceText, errorBegins: false });

const buildRefOf = ({ object, reader }: Acts): string =>
  buildOfSettings({ ...object, spec: specOf(object) }, reader)?.metadata.name ?? '';

/** An attempt, with the deploy and the build that it is about. */
function started(acting: Acts): Fields {
  const { provision } = attempts.startAttempt(acting);
  return { provision: { ...provision, buildRef: buildRefOf(acting), deploymentRef: revisionOf(acting.object) } };
}

const nothing = () => ({});

/** What each named action writes. Actions that only act write nothing. */
export const writes: Readonly<Record<ServiceAction, (acting: Acts) => Fields>> = {
  applyWorkload: nothing,
  deleteWorkload: nothing,
  ...attempts,
  startAttempt: started,
  attachBuild: (acting) => ({ provision: { ...acting.object.status?.provision, buildRef: buildRefOf(acting) } }),
};
