import { createMachine } from 'xstate';
import type { AnyLifecycle } from '../../../runtime/contract/lifecycle.ts';
import type { Bug } from './bug.ts';
import { withBuild } from './decorators.ts';

type Rule = Parameters<Parameters<NonNullable<ReturnType<AnyLifecycle['rules']['get']>>['map']>[0]>[0];

/** Builds with changed rules, state by state; a change without effect plants nothing. */
const withRules = (change: (rules: readonly Rule[]) => readonly Rule[]) =>
  withBuild((lifecycle) => {
    const rules = new Map([...lifecycle.rules].map(([state, those]) => [state, change(those)] as const));
    const same = [...rules].every(([state, those]) =>
      those.every((rule, at) => rule === lifecycle.rules.get(state)?.[at]),
    );
    const shorter = [...rules].some(([state, those]) => those.length !== lifecycle.rules.get(state)?.length);
    if (same && !shorter) throw new Error('no rule was changed');
    return { ...lifecycle, rules };
  });

const dropped = (id: string) => withRules((rules) => rules.filter((rule) => rule.id !== id));
const last = (id: string) =>
  withRules((rules) => [...rules.filter((rule) => rule.id !== id), ...rules.filter((rule) => rule.id === id)]);
const first = (id: string) =>
  withRules((rules) => [...rules.filter((rule) => rule.id === id), ...rules.filter((rule) => rule.id !== id)]);
const neverLooked = ({ look, ...rest }: Rule): Rule => (look ? rest : { ...rest });
const unlooked = (id: string) => withRules((rules) => rules.map((rule) => (rule.id === id ? neverLooked(rule) : rule)));
const always = (id: string) =>
  withRules((rules) => rules.map((rule) => (rule.id === id ? { ...rule, when: () => true } : rule)));

interface Arrow {
  readonly target: string;
  readonly actions?: unknown;
}
interface Config {
  readonly states: Readonly<Record<string, { readonly on?: Readonly<Record<string, Arrow>> }>>;
}

/** Builds with one changed arrow of their machine; null removes the arrow. */
const withArrow = (state: string, event: string, change: (arrow: Arrow) => Arrow | null) =>
  withBuild((lifecycle) => {
    const config = lifecycle.machine.config as unknown as Config;
    const of = config.states[state];
    const arrow = of?.on?.[event];
    if (!of || !arrow) throw new Error(`no arrow leads from ${state} by ${event}`);
    const { [event]: _, ...others } = of.on;
    const changed = change(arrow);
    const on = changed === null ? others : { ...others, [event]: changed };
    const machine = createMachine({ ...config, states: { ...config.states, [state]: { ...of, on } } } as never);
    return { ...lifecycle, machine };
  });

const withoutAction = (state: string, event: string, action: string) =>
  withArrow(state, event, ({ target, actions }) => ({
    target,
    actions: [actions].flat().filter((one) => one !== action),
  }));

/** Bugs in the rules and the machine of builds, as changed data. */
export const dataBugs: readonly Bug[] = [
  {
    name: 'own Job not adopted',
    family: 'wrong rule',
    text: 'a claimed run whose Job exists already is not known to run (own-job dropped)',
    plant: dropped('own-job'),
    by: ['crash, restart'],
  },
  {
    name: 'settings before what runs',
    family: 'wrong rule',
    text: 'a run whose Job exists fails over a setting that was changed since (own-job last)',
    plant: last('own-job'),
    by: ['changed by hand amid a pass', 'changed by hand, then a crash'],
  },
  {
    name: 'left-over Job built over',
    family: 'wrong rule',
    text: "a Job that an earlier build left is nobody's concern (leftover-job and other-job dropped)",
    plant: withRules((rules) => rules.filter(({ id }) => !['leftover-job', 'other-job'].includes(id))),
    on: /survived/,
    unseen: 'no second Job of a name can be created, and the state demands that one of another run goes',
  },
  {
    name: 'cancel comes last',
    family: 'wrong rule',
    text: 'a cancel is looked at when there is nothing else to do',
    plant: last('cancel-requested'),
    on: /^cancelled/,
  },
  {
    name: 'spent cancel cancels again',
    family: 'wrong rule',
    text: 'a reset of a cancelled build is cancelled at once (cancel-spent dropped)',
    plant: dropped('cancel-spent'),
    on: /^reset by hand after a cancel/,
  },
  {
    name: 'claim skipped',
    family: 'effect before claim',
    text: 'a Job is created without its run being claimed (start-cleared dropped)',
    plant: dropped('start-cleared'),
  },
  {
    name: 'claim before the commit',
    family: 'wrong rule',
    text: 'a run is claimed before anything is known of it (start-cleared first)',
    plant: first('start-cleared'),
    on: /^checks are awaited|^no registry/,
  },
  {
    name: 'checks not awaited',
    family: 'wrong rule',
    text: 'a build with checks that still run is built (checks-pending dropped)',
    plant: dropped('checks-pending'),
    on: /^checks are awaited/,
  },
  {
    name: 'failed check overlooked',
    family: 'wrong rule',
    text: 'a check that failed counts as one that runs (check-failed and check-still-failed dropped)',
    plant: withRules((rules) => rules.filter(({ id }) => !/^check-(still-)?failed$/.test(id))),
    on: /^a check fails/,
  },
  {
    name: 'checks looked at once',
    family: 'lost requeue',
    text: 'checks that still run are not looked at again (checks-pending without its look)',
    plant: unlooked('checks-pending'),
    on: /^checks are awaited/,
  },
  {
    name: 'silent Git host asked once',
    family: 'lost requeue',
    text: 'a Git host that was silent is not asked again (commit-silent without its look)',
    plant: unlooked('commit-silent'),
    on: /^the Git host is silent/,
  },
  {
    name: 'Running looked at once',
    family: 'lost requeue',
    text: 'a Job that runs is only looked at when something is told of it (job-progressed and job-created without their looks)',
    plant: withRules((rules) =>
      rules.map((rule) => (['job-progressed', 'job-created', 'own-job'].includes(rule.id) ? neverLooked(rule) : rule)),
    ),
    by: ['event lost', 'news come late'],
    unseen: 'what was not told is found by comparing, within ten minutes',
  },
  {
    name: 'vanished Job runs on',
    family: 'wrong rule',
    text: 'a Job that was deleted is waited for (job-vanished dropped)',
    plant: dropped('job-vanished'),
    on: /^the Job is deleted/,
  },
  {
    name: 'failed Job succeeded',
    family: 'wrong rule',
    text: 'that a Job failed is not looked at (job-failed dropped)',
    plant: dropped('job-failed'),
    on: /^the Job fails/,
  },
  {
    name: 'Job that runs is over',
    family: 'wrong rule',
    text: 'a Job that still runs is asked for its digest (job-progressed dropped)',
    plant: dropped('job-progressed'),
  },
  {
    name: 'refusal is for good',
    family: 'recovery',
    text: 'a build that a Git host refused does not look whether it is well again (commit-refused without its look)',
    plant: unlooked('commit-refused'),
    on: /^the Git host refuses/,
  },
  {
    name: 'archived log unrecorded',
    family: 'wrong rule',
    text: 'that the log is in the store is not written down (log-archived dropped)',
    plant: dropped('log-archived'),
    on: /^the log is archived/,
  },
  {
    name: 'no rest while the log waits',
    family: 'wrong rule',
    text: 'a build whose log is not yet archived counts as done with (log-archived always)',
    plant: always('log-archived'),
    on: /^the log is archived/,
    by: ['object store'],
  },
  {
    name: 'Running without a Job',
    family: 'wrong arrow',
    text: 'the arrow into Running creates no Job',
    plant: withoutAction('Pending', 'jobCreated', 'createJob'),
  },
  {
    name: 'nothing claimed',
    family: 'wrong arrow',
    text: 'the arrow that claims a run writes nothing',
    plant: withoutAction('Pending', 'startCleared', 'claimRun'),
  },
  {
    name: 'rebuild keeps everything',
    family: 'wrong arrow',
    text: 'a rebuild keeps what the last run recorded',
    plant: withoutAction('Succeeded', 'rebuildAsked', 'startOver'),
    on: /^built again after it succeeded/,
  },
  {
    name: 'reset voids nothing',
    family: 'wrong arrow',
    text: 'a reset by hand does not void the run',
    plant: withoutAction('Running', 'resetFound', 'voidRun'),
    on: /^reset by hand while it runs|^the Job fails/,
    by: ['changed by hand'],
  },
  {
    name: 'success without a digest',
    family: 'wrong arrow',
    text: 'a build that succeeded does not say what it pushed',
    plant: withoutAction('Running', 'digestFound', 'succeed'),
  },
  {
    name: 'failure leads to success',
    family: 'wrong arrow',
    text: 'a Job that failed leads to Succeeded, which the table does not know',
    plant: withArrow('Running', 'jobFailed', (arrow) => ({ ...arrow, target: 'Succeeded' })),
    on: /^the Job fails/,
  },
  {
    name: 'no arrow for a cancel',
    family: 'wrong arrow',
    text: 'a build that runs knows no cancel',
    plant: withArrow('Running', 'cancelFound', () => null),
    on: /^cancelled by hand while it runs/,
  },
];
