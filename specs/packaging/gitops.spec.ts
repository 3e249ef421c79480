import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { healthOf, type HealthStatus } from '../../rules/health/health.ts';
import { kindHealth } from '../../rules/health/kinds.ts';
import { gitopsFiles } from '../../packaging/gitops/files.ts';
import { compile, evaluate } from '../../runtime/embedded/api/cel/compile.ts';
import { dynType } from '../../runtime/embedded/api/cel/types/type.ts';
import { healthObjects } from '../rules/health/states.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';

const spec = suite('the health that GitOps tools read');
const read = (name: string) => readFileSync(new URL(`../../crds/gitops/${name}`, import.meta.url), 'utf8');

spec('the generated files are current', () => {
  for (const { name, text } of gitopsFiles) assert.is(read(name), text, `npm run gitops writes ${name}`);
});

/** A JSON value as a table of Lua. */
function lua(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(lua).join(', ')}}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `[${JSON.stringify(name)}] = ${lua(one)}`)
    .join(', ')}}`;
}

function noLua(): string | null {
  try {
    execFileSync('lua5.1', ['-v'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'there is no lua5.1';
  }
}

const argosWords: Readonly<Record<HealthStatus, string>> = {
  Current: 'Healthy',
  InProgress: 'Progressing',
  Failed: 'Degraded',
  Suspended: 'Suspended',
  Terminating: 'Progressing',
};

unless(spec, noLua())('decision 169: Argo CD reads the health and the message of every state as Core does', () => {
  const { data } = parse(read('argocd.yaml')) as { readonly data: Readonly<Record<string, string>> };
  const calls = healthObjects.map(({ kind, object }) => {
    const script = data[`resource.customizations.health.core.platform_${kind}`] ?? '';
    return `do local health = (function(obj) ${script} end)(${lua(object)}); print(health.status .. "|" .. health.message) end`;
  });
  const printed = execFileSync('lua5.1', ['-'], { input: calls.join('\n'), encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  for (const [index, { kind, name, object }] of healthObjects.entries()) {
    const { status, message } = healthOf(object, kindHealth[kind]);
    assert.is(printed[index], `${argosWords[status]}|${message}`, name);
  }
});

interface Expressions {
  readonly kind: string;
  readonly current: string;
  readonly inProgress: string;
  readonly failed: string;
}

/** A whole number of JSON is an int of CEL. */
const celValue = (value: unknown): unknown => {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([name, one]) => [name, celValue(one)]));
};

const variables = new Map(['apiVersion', 'kind', 'metadata', 'spec', 'status'].map((name) => [name, dynType]));

/** Whether an expression holds; one that cannot be evaluated is waited for. */
function holds(text: string, object: object): boolean | 'waited for' {
  const compiled = compile(text, variables);
  if ('why' in compiled) throw new Error(compiled.why);
  const given = Object.fromEntries(Object.entries(object).map(([name, value]) => [name, celValue(value)]));
  try {
    return evaluate(compiled, given).value === true;
  } catch {
    return 'waited for';
  }
}

const fluxWords: Readonly<Record<HealthStatus, keyof Expressions>> = {
  Current: 'current',
  InProgress: 'inProgress',
  Failed: 'failed',
  Suspended: 'current',
  Terminating: 'inProgress',
};

spec('decision 169: of the expressions for Flux exactly the one holds that Core says, for every state', () => {
  const { spec: of } = parse(read('flux.yaml')) as { spec: { healthCheckExprs: readonly Expressions[] } };
  for (const { kind, name, object } of healthObjects) {
    const given = of.healthCheckExprs.find((one) => one.kind === kind);
    assert.ok(given, kind);
    const wanted = fluxWords[healthOf(object, kindHealth[kind]).status];
    for (const which of ['current', 'inProgress', 'failed'] as const) {
      const held = holds(given[which], object);
      if (object.status === undefined) assert.ok(held === 'waited for' || held === (which === wanted), name);
      else assert.is(held, which === wanted, `${name}: ${which}`);
    }
  }
});

spec.run();
