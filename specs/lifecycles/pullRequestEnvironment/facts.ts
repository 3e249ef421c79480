import * as fc from 'fast-check';
import type { PullRequestFacts } from '../../../rules/pullRequestEnvironment/facts.ts';

const events = ['opened', 'reopened', 'readyForReview', 'pushed', 'closed', 'none'] as const;
const repositories = ['acme/shop', 'acme/Shop.Web', 'other/shop', 'acme/.-'] as const;
/** Mostly the first value, so that later rows are covered. */
const mostly = <T>(first: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.constantFrom(first, first, first, first, first, first, ...others);

const project = fc.constantFrom(
  'p',
  'p',
  'p',
  'x'.repeat(54),
  'x'.repeat(55),
  'x'.repeat(57),
  'x'.repeat(58),
  'x'.repeat(59),
);

const entry = (number: number) =>
  fc.record({
    number: fc.constantFrom(number, 7, 8),
    repository: fc.constantFrom(...repositories),
    environment: fc.constantFrom('pr-7', 'pr-8', 'pr-7-shop'),
  });

/** Facts of a pull request at every precondition, limit and name of the documents. */
export const facts: fc.Arbitrary<PullRequestFacts> = fc
  .record({
    now: fc.constant(0),
    event: fc.constantFrom(...events),
    copied: fc.boolean(),
    removed: fc.boolean(),
    throughApplication: mostly(true, false),
    number: fc.constantFrom(7, 7, 1234),
    repository: mostly<string>(...repositories),
    targetBranch: mostly('main', 'next'),
    head: mostly<'same' | 'fork' | 'otherCase' | 'gone'>('same', 'fork', 'otherCase', 'gone'),
    draft: mostly(false, true),
    project,
    enabled: mostly(true, false),
    link: mostly<PullRequestFacts['link']>('linked', 'unsubscribed', 'none'),
    service: mostly<'same' | 'otherCase' | 'other' | 'none'>('same', 'otherCase', 'other', 'none'),
    maxOpen: fc.constantFrom(null, null, 1, 2, 25),
    open: fc.oneof(
      fc.array(entry(7), { maxLength: 3 }),
      fc.array(entry(8), { minLength: 4, maxLength: 6 }),
      fc.array(entry(8), { minLength: 24, maxLength: 26 }),
    ),
    environments: fc.subarray(['production', 'pr-7', 'pr-8', 'pr-7-shop', 'pr-7-shop-web', 'pr-7-sho', 'pr-1234']),
  })
  .map(({ head, service, ...given }) => {
    const { repository } = given;
    return {
      ...given,
      asked: given.event === 'none' ? null : ({ is: 'hostEvent' } as const),
      headRepository: { same: repository, otherCase: repository.toUpperCase(), fork: 'mallory/shop', gone: null }[head],
      baseServices: {
        same: [
          { repository: 'acme/api', branch: 'main' },
          { repository, branch: 'main' },
        ],
        otherCase: [{ repository: repository.toUpperCase(), branch: 'main' }],
        other: [{ repository: 'acme/api', branch: 'main' }],
        none: [],
      }[service],
    };
  });

const number = fc.constantFrom(NaN, Infinity, -Infinity, -1, 0, 1, 2 ** 53);
const anything = fc.oneof(fc.string(), fc.constantFrom('', '/', 'ACME/SHOP', '../..', '__proto__', 'x'.repeat(5_000)));

/** Invalid facts. */
export const invalid: fc.Arbitrary<PullRequestFacts> = fc
  .record({
    now: number,
    asked: fc.constantFrom(null, { is: 'hostEvent' as const }),
    copied: fc.boolean(),
    removed: fc.boolean(),
    event: fc.oneof(fc.constantFrom(...events), anything),
    throughApplication: fc.boolean(),
    number,
    repository: anything,
    targetBranch: anything,
    headRepository: fc.option(anything),
    draft: fc.boolean(),
    project: anything,
    enabled: fc.boolean(),
    link: anything,
    baseServices: fc.array(fc.record({ repository: anything, branch: anything }), { maxLength: 2 }),
    maxOpen: fc.option(number),
    open: fc.array(fc.record({ number, repository: anything, environment: anything }), { maxLength: 2 }),
    environments: fc.array(anything, { maxLength: 2 }),
  })
  .map((given) => given as PullRequestFacts);
