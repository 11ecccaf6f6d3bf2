import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Each starts three databases.
setDefaultTimeout(600_000)

const root = join(import.meta.dir, '..')
let house = ''

beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'tollgate-runner-'))
  await symlink(join(root, 'node_modules'), join(house, 'node_modules'))
  for (const folder of ['scripts', 'test/services']) {
    await cp(join(root, folder), join(house, folder), {
      recursive: true,
      filter: path => !path.endsWith('.test.ts'),
    })
  }
  await mkdir(join(house, 'server'))
  // Of ours: what makes the tables that a fresh database begins with.
  await symlink(join(root, 'server/store'), join(house, 'server/store'))
  const files = {
    'fine.test.ts': `test('a', () => {}); test('b', () => {})`,
    'mixed.test.ts': `test('good', () => {}); test('bad & "worse"', () => { throw new Error('no') })`,
    'skipped.test.ts': `test('done', () => {}); test.skip('left out', () => {}); test.todo('later')`,
    'unloadable.test.ts': `await import('./nowhere.ts'); test('never', () => {})`,
    'empty.test.ts': `export {}`,
    'crash.test.ts': `test('ends it all', () => process.exit(7))`,
    'services.test.ts': `test('has services', () => {
      for (const name of ['SQLITE', 'POSTGRES', 'MARIADB', 'REDIS', 'CHROMIUM']) {
        if (!process.env['TOLLGATE_TEST_' + name]) throw new Error(name)
      }
      if (process.env.DATABASE_URL) throw new Error('a variable of the developer got in')
    })`,
  }
  for (const [name, source] of Object.entries(files)) {
    await writeFile(join(house, 'server', name), `import { test } from 'bun:test'\n${source}\n`)
  }
})
afterAll(() => rm(house, { recursive: true, force: true }))

function runTests(...filters: string[]) {
  const env = { ...process.env, DATABASE_URL: 'sqlite:elsewhere' }
  const run = Bun.spawnSync([process.execPath, 'scripts/test.ts', ...filters], { cwd: house, env })
  const lines = run.stdout.toString().trimEnd().split('\n')
  return { code: run.exitCode, last: lines.at(-1), lines: lines.map(line => line.trim()) }
}

test('what passes is counted, with the services it was promised', () => {
  expect(runTests('fine', 'services')).toMatchObject({ code: 0, last: '3 passed, 0 failed' })
})

test('what fails, is skipped, does not load, is empty or crashes counts as failed and is named', () => {
  const { code, last, lines } = runTests('server/')
  expect({ code, last }).toEqual({ code: 1, last: '5 passed, 6 failed' })
  expect(lines).toContainValues([
    'server/mixed.test.ts: bad & "worse"',
    'server/skipped.test.ts: left out (skipped)',
    'server/skipped.test.ts: later (skipped)',
    'server/unloadable.test.ts: did not load or has no tests',
    'server/empty.test.ts: did not load or has no tests',
    'server/crash.test.ts: ended with 7',
  ])
  // Why is told after everything else, for an output may be cut.
  const atEnd = lines.slice(lines.indexOf('What server/mixed.test.ts said (1 failed):'))
  expect(atEnd).toContain('error: no')
  expect(atEnd).not.toContain('server/fine.test.ts:')
})

test('a name that matches no file fails', () => {
  expect(runTests('nothing-like-this')).toMatchObject({ code: 1, last: '0 passed, 1 failed' })
})
