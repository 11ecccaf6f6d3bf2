import { expect, test } from 'bun:test'
import { faultOf, kindOf, limits } from './attachments.ts'

test('a file is known by its type, or by its name where the browser says nothing', () => {
  for (const [name, type, kind] of [
    ['a.png', 'image/png', 'picture'],
    ['a.pdf', 'application/pdf', 'pdf'],
    ['Report.PDF', '', 'pdf'],
    ['a.csv', 'text/csv', 'text'],
    ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', undefined],
    ['a.heic', 'image/heic', undefined],
  ] as const)
    expect([name, kindOf({ name, type })]).toEqual([name, kind])
})

test('what is too large, too many or of no use is told apart', () => {
  const size = limits.pdf.size * 1024 * 1024
  expect(faultOf(size, 'pdf', limits.pdf.count - 1)).toBeUndefined()
  expect(faultOf(size + 1, 'pdf', 0)).toBe('size')
  expect(faultOf(1, 'pdf', limits.pdf.count)).toBe('count')
  expect(faultOf(1, undefined, 0)).toBe('type')
})
