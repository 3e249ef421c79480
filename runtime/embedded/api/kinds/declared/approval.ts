import { type Json, at, textAt } from '../../json.ts';
import { invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';

const annotation = 'api-approved.kubernetes.io';
const isProtected = (group: string) => /(^|\.)(k8s|kubernetes)\.io$/.test(group);
const mustHave = `protected groups must have approval annotation "${annotation}"`;
const seeAlso = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** What is wrong with the word that a definition needs in one of Kubernetes' own groups; old words are not judged again. */
export function approvalFaults(definition: Json, old: unknown): readonly Cause[] {
  const path = ['metadata', 'annotations', annotation];
  const given = textAt(definition, ...path);
  const isSame = old !== undefined && at(old, ...path) === at(definition, ...path);
  if (!isProtected(textAt(definition, 'spec', 'group')) || isSame) return [];
  const field = `metadata.annotations[${annotation}]`;
  if (given === '') return [required(field, `${mustHave}, ${seeAlso}`)];
  if (given.startsWith('unapproved') || isAddress(given)) return [];
  const why = `${mustHave} with either a URL or a reason starting with "unapproved", ${seeAlso}`;
  return [invalidValue(field, given, why)];
}

const isAddress = (text: string) => URL.canParse(text) && new URL(text).host !== '';
