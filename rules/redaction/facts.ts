import type { View } from '../access/needs.ts';
import type { BuildFacts } from '../build/facts.ts';
import type { Fact } from '../fact.ts';
import type { ProjectReadyFacts } from '../projectReady/facts.ts';
import { copyOf, isTold } from './copy.ts';
import type { Fields, Leaf, NodeOf, Redacted } from './fields.ts';

type ValueOf<F> = F extends Fact<infer Value> ? Value : F;
type FactRows<Facts> = { readonly [K in keyof Facts]?: NodeOf<NonNullable<ValueOf<Facts[K]>>> };

const answer = { is: 'viewer', code: 'viewer', until: 'viewer', status: 'hidden', why: 'hidden' } as const;

/** What is told of the facts of a build: what a view does not see of its spec it does not see here either. */
const buildFacts: FactRows<BuildFacts> = {
  now: 'viewer',
  phase: 'viewer',
  run: 'viewer',
  cancelRequested: 'viewer',
  resetFrom: 'viewer',
  registry: 'hidden',
  context: 'viewer',
  buildfile: 'viewer',
  revision: 'viewer',
  sourceRevision: 'viewer',
  waitForCI: 'viewer',
  connectionRef: 'hidden',
  connection: 'hidden',
  commit: { ...answer, value: 'viewer' },
  checks: { ...answer, value: { name: 'viewer', status: 'viewer', conclusion: 'viewer' } },
  job: { is: 'viewer', run: 'viewer', outcome: 'viewer', failedPods: 'viewer' },
  // Observers are told of pods and of logs.
  hindrance: { is: 'viewer', pod: 'observer', container: 'viewer', reason: 'viewer', says: 'observer' },
  digest: 'viewer',
  log: 'observer',
};

/** Names of shared variables and what refuses a write are told to nobody but those who see the project whole. */
const projectFacts: FactRows<ProjectReadyFacts> = {
  now: 'viewer',
  project: 'viewer',
  deleted: 'viewer',
  environments: 'viewer',
  clusterRef: 'viewer',
  observedClusterRef: 'viewer',
  cluster: 'viewer',
  namespaces: { name: 'viewer', is: 'viewer', isWhole: 'viewer' },
  missingPieces: 'viewer',
  contested: 'hidden',
  failure: 'hidden',
  missingVariable: 'hidden',
  retry: 'viewer',
};

const byMachine: Readonly<Record<string, Fields>> = { build: buildFacts, projectReady: projectFacts };

type Facts = Readonly<Record<string, Fact<unknown>>>;

/** The facts of a decision as a view is told them; of a machine without a row none. Why one is unknown may name anything. */
export function toldFacts(machine: string, facts: Facts, view: View): Facts {
  if (view === 'whole') return facts;
  const rows = Object.hasOwn(byMachine, machine) ? (byMachine[machine] ?? {}) : {};
  const told = Object.entries(rows).flatMap(([name, of]): readonly (readonly [string, Fact<unknown>])[] => {
    const fact = facts[name];
    if (fact === undefined || !isTold(of, view)) return [];
    if (fact.is === 'unknown') return [[name, { is: 'unknown', why: '' }]];
    return [[name, fact.is === 'known' ? { is: 'known', value: valueOf(of, fact.value, view) } : fact]];
  });
  return Object.fromEntries(told);
}

const valueOf = (of: Leaf | Fields, value: unknown, view: Redacted): unknown =>
  (copyOf({ value: of }, { value }, view) as { readonly value?: unknown }).value;
