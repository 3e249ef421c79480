import * as assert from 'uvu/assert';
import { builderJob } from '../../rules/build/job.ts';
import { podAnnotations } from '../../rules/placement.ts';
import { suite } from '../support/suite.ts';
import { userBuild } from '../support/environment.ts';

const spec = suite('placement of the pods of a project');
const settings = { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' };
const run = '2026-01-01T00:00:00.000Z';

interface Template {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly nodeSelector: object; readonly tolerations: readonly object[] };
}
const podOf = (...tags: readonly string[]): Template => {
  const { spec: job } = builderJob(userBuild('one'), run, { region: 'eu', tags }, settings);
  return (job as unknown as { readonly template: Template }).template;
};

spec('PRJ-014 PRJ-020 PRJ-040 builds run in the region, on nodes with every tag, reserved ones included', () => {
  const { nodeSelector, tolerations } = podOf('pci', 'gpu').spec;
  assert.equal(nodeSelector, {
    'core.platform/region': 'eu',
    'core.platform/tag-pci': 'true',
    'core.platform/tag-gpu': 'true',
  });
  const tolerated = (value: string) => ({
    key: 'core.platform/reserved',
    operator: 'Equal',
    value,
    effect: 'NoSchedule',
  });
  assert.equal(tolerations, ['pci', 'gpu'].map(tolerated));
});

spec('PRJ-049 logs of pods of a project that requires tags are not shipped', () => {
  assert.equal(podAnnotations([]), {});
  assert.equal(podAnnotations(['pci']), { 'core.platform/log-shipping': 'off' });
  assert.equal(podOf('pci').metadata.annotations, { 'core.platform/run': run, 'core.platform/log-shipping': 'off' });
  assert.equal(podOf().metadata.annotations, { 'core.platform/run': run });
});

spec.run();
