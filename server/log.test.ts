import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configureLog, log, rememberSecret } from './log.ts'

let lines: string[] = []
configureLog({ level: 'debug', secrets: ['hunter2-hunter2'], write: line => lines.push(line) })
afterAll(() => configureLog({ level: 'info', write: line => process.stdout.write(line) }))

function logged(fields: Record<string, unknown>, message = 'm'): Record<string, unknown> {
  lines = []
  log.info(message, fields)
  return JSON.parse(lines[0] ?? '')
}

test('a line is one JSON object with time, level and message', () => {
  expect(logged({ requestId: 'r1' })).toMatchObject({ level: 'info', message: 'm', requestId: 'r1' })
})

test('secrets go out by name, by pattern and by value', () => {
  const line = logged({
    password: 'p',
    headers: { authorization: 'Bearer abc', cookie: 'session=1' },
    api_key: 'k',
    note: 'called with sk-abcdefgh12345678 and hunter2-hunter2',
    url: 'postgres://user:pa55@host/db',
    error: new Error('refused sk-zzzzzzzz99999999', { cause: new Error('hunter2-hunter2') }),
  })
  const text = JSON.stringify(line)
  for (const secret of ['"p"', 'Bearer abc', 'session=1', '"k"', 'sk-abcdefgh', 'hunter2', 'pa55', 'sk-zzzz'])
    expect(text).not.toContain(secret)
  expect(text).toContain('postgres://user:***@host/db')
})

test('of secrets that begin alike the whole is hidden, wherever it stands and however often', () => {
  for (const secret of ['upstream-a', 'upstream-ab', 'upstream-abc', 'short', 'upstream-a'])
    rememberSecret(secret)
  const hidden = (note: string) => logged({ note }).note
  expect(hidden('upstream-ab')).toBe('***')
  expect(hidden('xupstream-abcupstream-a, upstream-ab.')).toBe('x******, ***.')
  expect(hidden('upstream- and short and upstrea')).toBe('upstream- and short and upstrea')
})

test('what is below the level is not written', () => {
  lines = []
  configureLog({ level: 'warn' })
  log.info('quiet')
  log.warn('loud')
  configureLog({ level: 'debug' })
  expect(lines).toHaveLength(1)
})

test('whoever stands still instead of reading it gets the beginning later, and it fills no memory meanwhile', async () => {
  const written = join(mkdtempSync(join(tmpdir(), 'tollgate-log-')), 'written')
  const program = `
    import { configureLog, log } from ${JSON.stringify(join(import.meta.dir, 'log.ts'))}
    configureLog({ level: 'info' })
    for (let round = 0; round < 80; round++) {
      for (let line = 0; line < 100; line++) log.info('m', { text: 'x'.repeat(1000) })
      await new Promise(resolve => setImmediate(resolve))
    }
    await Bun.write(${JSON.stringify(written)}, '')
  `
  const late = '"$0" -e "$1" | { until [ -e "$2" ]; do sleep 0.05; done; wc -c; }'
  const child = Bun.spawn(['bash', '-c', late, process.execPath, program, written], { stdout: 'pipe' })
  const bytes = Number(await new Response(child.stdout).text())
  // Of eight megabytes; those that are kept are told whole.
  expect(bytes).toBeGreaterThan(3_000_000)
  expect(bytes).toBeLessThan(6_000_000)
})
