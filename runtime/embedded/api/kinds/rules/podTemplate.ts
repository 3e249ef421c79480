import { type Json, isJson, jsonAt, listAt, textAt } from '../../json.ts';
import { forbiddenField, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { annotationFaults, labelFaults } from '../metadata.ts';
import { podSpecFaults } from './podFaults.ts';

/** What is wrong with the template of pods, whoever creates them. */
export function templateFaults(template: unknown, path: string): readonly Cause[] {
  const { labels, annotations } = jsonAt(template, 'metadata');
  const added = listAt(template, 'spec', 'ephemeralContainers');
  return [
    ...labelFaults(labels, `${path}.labels`),
    ...annotationFaults(annotations, `${path}.annotations`),
    ...podSpecFaults(jsonAt(template, 'spec'), `${path}.spec`),
    ...(added.length > 0
      ? [forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

/** What is wrong with the template of pods that are always started again, by the name that the API gives their controller. */
export function endlessFaults(template: unknown, path: string, controller: string): readonly Cause[] {
  const { restartPolicy, activeDeadlineSeconds } = jsonAt(template, 'spec');
  const deadline = `${path}.spec.activeDeadlineSeconds`;
  return [
    ...templateFaults(template, path),
    ...policyFaults(restartPolicy ?? 'Always', ['Always'], `${path}.spec.restartPolicy`),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [forbiddenField(deadline, `activeDeadlineSeconds in ${controller} is not Supported`)]),
  ];
}

const endings = ['OnFailure', 'Never'];

/** What is wrong with the template of pods that end: they must be told what to do when they fail. */
export function endingFaults(template: unknown, path: string): readonly Cause[] {
  const policy = textAt(template, 'spec', 'restartPolicy');
  const field = `${path}.spec.restartPolicy`;
  return [
    ...templateFaults(template, path),
    ...(policy === 'Always' || policy === ''
      ? [required(field, `valid values: ${endings.map((one) => JSON.stringify(one)).join(', ')}`)]
      : policyFaults(policy, endings, field)),
  ];
}

const everyPolicy = ['Always', 'OnFailure', 'Never'];

const policyFaults = (policy: unknown, allowed: readonly string[], field: string): readonly Cause[] =>
  [allowed, everyPolicy]
    .filter((list) => !list.some((one) => one === policy))
    .map((list) => notSupported(field, policy, list));

/** The template of a StatefulSet as its pods get it: the volumes of their own claims stand first, in place of others of that name. */
export function withClaims(template: Json, claims: readonly unknown[]): Json {
  const names = new Set(claims.map((claim) => textAt(claim, 'metadata', 'name')));
  if (names.size === 0 || !isJson(template['spec'])) return template;
  const spec = jsonAt(template, 'spec');
  const own = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = listAt(spec, 'volumes').filter((volume) => !names.has(textAt(volume, 'name')));
  return { ...template, spec: { ...spec, volumes: [...own, ...others] } };
}
