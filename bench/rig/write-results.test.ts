import { expect, test } from 'bun:test'
import { putSection } from './write-results.ts'

test('a new section goes to the end, a known one keeps its place', () => {
  const first = putSection('# Results\n', 'house', 'old house\n')
  const second = putSection(first, 'ledger', 'a ledger\n')
  expect(second).toBe('# Results\n\n## house\n\nold house\n\n## ledger\n\na ledger\n')
  expect(putSection(second, 'house', 'new house\n')).toBe(second.replace('old house', 'new house'))
})
