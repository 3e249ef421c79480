import * as assert from 'uvu/assert';
import { defaults, settingNames } from '../../http/program/settings.ts';
import { suite } from '../support/suite.ts';
import { textOf } from './figures/written.ts';

/** Names that went on to mean what another one means now. */
const earlier = ['http-client-image', 'upload-image'];

/** `CORE_{A,B}_X` as `CORE_A_X` and `CORE_B_X`. */
const spelledOut = (name: string): readonly string[] => {
  const [, before = '', names, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
  return names === undefined ? [name] : names.split(',').map((one) => `${before}${one}${after}`);
};
const settingOf = (variable: string): string =>
  variable
    .replace(/^CORE_/, '')
    .toLowerCase()
    .replaceAll('_', '-');

const [, section = ''] = textOf('runtime/README.md').split('\n## Settings\n');
const rows = [...section.matchAll(/^\| (`CORE_.*?) +\| +(.*?) +\| .*\|$/gm)].map(([, names = '', told = '']) => ({
  settings: [...names.matchAll(/`(CORE_[^`]+)`/g)].flatMap(([, name = '']) => spelledOut(name)).map(settingOf),
  flags: [...names.matchAll(/`--([^`]+)`/g)].map(([, flag = '']) => flag),
  told,
}));

/** What a row tells of the default of a setting that has one in the code: itself, or that it is pinned there. */
const isToldOf = (value: string | undefined, told: string): boolean => {
  if (told === 'pinned') return value !== undefined && value.length > 5;
  const exact = /^`([^`<]+)`$|^(\d+)$/.exec(told);
  return value === (exact?.[1] ?? exact?.[2]);
};

const spec = suite('the table of settings');

spec('the guide lists every setting once', () => {
  assert.equal(
    rows.flatMap(({ settings }) => settings).toSorted(),
    [...new Set<string>(settingNames)].filter((name) => !earlier.includes(name)).toSorted(),
  );
});

spec('the guide names the defaults of the code', () => {
  const known: Readonly<Record<string, string>> = defaults;
  const wrong = rows.flatMap(({ settings, told }) =>
    settings.filter((name) => !isToldOf(known[name], told)).map((name) => `${name}: "${told}", it is ${known[name]}`),
  );
  assert.equal(wrong, []);
});

spec('a flag in the guide is that of the setting beside it', () => {
  for (const { settings, flags } of rows) for (const flag of flags) assert.equal([flag], settings);
});

spec.run();
