import type { View } from '../access/needs.ts';
import type { BuildFacts } from '../build/facts.ts';
import type { Fact } from '../fact.ts';
import type { ProjectReadyFacts } from '../projectReady/facts.ts';
import { copyOf, isTold } from './copy.ts';
import type { Fields, Leaf, NodeOf, Redacted } from './fields.ts';

type ValueOf<F> = F extends Fact<infer Value> ? Value : F;
type FactRows<Facts> = { readonly [K in keyof Facts]?: NodeOf<NonNullable<ValueOf<Facts[K]>>> };

const answer = { is: 'viewer', code: 'viewer', until: 'viewer', status: 'hidden', why: 'hidden' } as const;

/** The visible facts of a build: fields of its spec that are hidden from a view are hidden here too. */
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
  // Observers may read about pods and logs.
  hindrance: { is: 'viewer', pod: 'observer', container: 'viewer', reason: 'viewer', says: 'observer' },
  digest: 'viewer',
  log: 'observer',
};

/** Names of shared variables, and the cause of a refused write, are visible only in the whole view of the project. */
const projectFacts: FactRows<ProjectReadyFacts> = {
  now: 'viewer',
  project: 'viewer',
  deleted: 'viewer',
  environments: 'viewer',
  // Names of what is hidden from viewers are hidden here too.
  remaining: { is: 'viewer', name: 'viewer', everything: 'viewer', left: { kind: 'viewer' } },
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

/**
 * The facts of a decision that a view may read; none for a machine without a row. Why a fact is unknown is hidden,
 * because it may name anything.
 */
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
