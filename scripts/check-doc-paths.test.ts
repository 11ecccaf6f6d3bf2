import { expect, test } from 'bun:test'
import { findDeadCommands, findFaults } from './check-doc-paths.ts'

const guide = '# Guide\n\n## What it costs\n\n```sh\n# a comment\n```\n\n## Limits\n\n## Limits\n'

/** What is said of a README beside a guide, in a repository that also has one source. */
function faultsOf(readme: string, words = guide): readonly string[] {
  const pages = new Map([
    ['README.md', readme],
    ['docs/guide.md', words],
  ])
  return findFaults(pages, path => pages.has(path) || path === 'server/main.ts')
}

const start = '[guide](docs/guide.md)\n'

test.each([
  ['a page and its parts', '[a](docs/guide.md#what-it-costs) [b](docs/guide.md#limits)'],
  ['a part whose title is there twice', '[a](docs/guide.md#limits-1)'],
  ['a part of the page itself', '## Start\n\n[a](#start)'],
  ['an address elsewhere', '[a](https://example.com/docs/nothing.md#part)'],
  ['a file, and one that the reader is to name', '`server/main.ts`, `server/providers/<name>/`'],
])('%s: nothing is wrong', (_, words) => {
  expect(faultsOf(start + words)).toEqual([])
})

test.each([
  ['a page', '[a](docs/gone.md)', 'README.md leads to docs/gone.md, which is not here'],
  ['a part', '[a](docs/guide.md#gone)', 'README.md leads to docs/guide.md#gone, which is not there'],
  ['a comment in code', '[a](docs/guide.md#a-comment)', 'README.md leads to docs/guide.md#a-comment, which'],
  ['a third of two', '[a](docs/guide.md#limits-2)', 'README.md leads to docs/guide.md#limits-2, which'],
  ['a file', '`server/gone.ts`', 'README.md names server/gone.ts, which is not here'],
])('%s that is not there is told', (_, words, fault) => {
  const faults = faultsOf(start + words)
  expect(faults.filter(told => told.startsWith(fault))).toHaveLength(1)
})

test('a link goes by where its page lies', () => {
  expect(faultsOf(start, `${guide}[a](../README.md) [b](docs/guide.md)`)).toEqual([
    'docs/guide.md leads to docs/docs/guide.md, which is not here',
  ])
})

test('a page that nothing but itself leads to is told', () => {
  expect(faultsOf('', `${guide}[a](guide.md#limits)`)).toEqual(['No page leads to docs/guide.md'])
})

test('a command that does nothing is told', () => {
  const told = (words: string) =>
    findDeadCommands(new Map([['README.md', words]]), ['check'], ['server/ledger/pay.test.ts'])
  expect(
    told('`npm run check -- --all`, `npm test -- ledger server/ledger` and `npm test -- <part>`'),
  ).toEqual([])
  expect(told('`npm run chekc`')).toEqual(['README.md has npm run chekc, which there is not'])
  expect(told('```sh\nnpm test -- ledger relay/gone   # two\n```')).toEqual([
    'README.md has npm test -- relay/gone, which no test is called',
  ])
})
