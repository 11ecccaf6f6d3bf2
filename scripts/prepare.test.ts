import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const node = Bun.which('node') ?? 'node'
let house = ''

beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'tollgate-prepare-'))
  await mkdir(join(house, 'scripts'))
  await mkdir(join(house, 'console'))
  for (const file of [
    'scripts/prepare.mjs',
    'scripts/compress-console.ts',
    'vite.config.ts',
    'package.json',
  ]) {
    await cp(join(root, file), join(house, file))
  }
})
afterAll(() => rm(house, { recursive: true, force: true }))

function prepare(...args: string[]) {
  const env = { ...process.env, npm_execpath: join(house, 'npm.mjs') }
  const run = Bun.spawnSync([node, join(house, 'scripts/prepare.mjs'), ...args], { cwd: tmpdir(), env })
  return { code: run.exitCode, said: run.stdout.toString(), complained: run.stderr.toString() }
}

describe('packages', () => {
  const locked = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/d': { version: '1.0.0', dev: true },
  }
  const setLock = (file: string, packages: object) =>
    writeFile(join(house, file), JSON.stringify({ lockfileVersion: 3, packages }))
  const npmCalls = () => readFile(join(house, 'npm-calls'), 'utf8').catch(() => '')

  beforeAll(async () => {
    // Stands for npm: writes down how it was called and leaves npm's record of an install.
    await writeFile(
      join(house, 'npm.mjs'),
      `import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
      appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n')
      const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
      const keep = ([path, one]) => path && (!one.dev || process.argv.includes('--include=dev'))
      lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(keep))
      mkdirSync('node_modules/bun/bin', { recursive: true })
      writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock))
      writeFileSync('node_modules/bun/bin/bun.exe', 'x'.repeat(1_000_001))`,
    )
    await setLock('package-lock.json', locked)
  })

  test('are installed once, without the development ones unless asked for', async () => {
    expect(prepare()).toEqual({ code: 0, said: 'Installing packages…\n', complained: '' })
    expect(await npmCalls()).toStartWith('ci --omit=dev')
    expect(prepare().said).toBe('')
    expect(prepare('--dev').said).toBe('Installing packages…\n')
    expect(await npmCalls()).toContain('ci --include=dev')
    expect(prepare().said + prepare('--dev').said).toBe('')
  })

  test('are installed again when the lock file moved on, keeping the development ones', async () => {
    await setLock('package-lock.json', { ...locked, 'node_modules/a': { version: '1.0.1' } })
    expect(prepare().said).toBe('Installing packages…\n')
    expect((await npmCalls()).trim().split('\n').at(-1)).toContain('--include=dev')
  })

  test('of another platform are not missed', async () => {
    const other = { 'node_modules/other-platform': { version: '1.0.0', optional: true } }
    await setLock('package-lock.json', { ...locked, ...other })
    await setLock('node_modules/.package-lock.json', locked)
    expect(prepare('--dev').said).toBe('')
  })

  test('that cannot be installed end in one clear line', async () => {
    await setLock('package-lock.json', { 'node_modules/new': { version: '1.0.0' } })
    await writeFile(join(house, 'npm.mjs'), `console.error('no network'); process.exit(1)`)
    expect(prepare()).toMatchObject({
      code: 1,
      complained: 'no network\nThe packages could not be installed.\n',
    })
  })
})

describe('the console', () => {
  const built = () => readFile(join(house, 'dist/console/index.html'), 'utf8')

  beforeAll(async () => {
    await rm(join(house, 'node_modules'), { recursive: true, force: true })
    await symlink(join(root, 'node_modules'), join(house, 'node_modules'))
    await cp(join(root, 'package-lock.json'), join(house, 'package-lock.json'))
    await writeFile(join(house, 'console/main.ts'), `document.title = 'one'`)
    await writeFile(
      join(house, 'console/index.html'),
      '<!doctype html><title>t</title><script type="module" src="/main.ts"></script>',
    )
  })

  test('is built when it is missing, compressed, and not built again', async () => {
    expect(prepare()).toEqual({ code: 0, said: 'Building the console…\n', complained: '' })
    expect(await built()).toContain('/assets/index-')
    expect(prepare().said).toBe('')
  })

  test('is not built for a new date, but for new words', async () => {
    const first = await stat(join(house, 'dist/console/index.html'))
    await utimes(join(house, 'console/main.ts'), new Date(), new Date(Date.now() + 5_000))
    expect(prepare().said).toBe('')
    expect((await stat(join(house, 'dist/console/index.html'))).ino).toBe(first.ino)
    await writeFile(join(house, 'console/main.ts'), `document.title = 'two'`)
    expect(prepare().said).toBe('Building the console…\n')
    expect((await stat(join(house, 'dist/console/index.html'))).ino).not.toBe(first.ino)
  })

  test('keeps the files of the last builds for pages that are open, and no others', async () => {
    const assets = join(house, 'dist/console/assets')
    const before = await readdir(assets)
    expect(before.length).toBe(2)
    for (const hours of [1, 2, 30]) {
      const builtAt = new Date(Date.now() - hours * 3600 * 1000)
      await writeFile(join(assets, `left-${hours}.js`), '')
      await utimes(join(assets, `left-${hours}.js`), builtAt, builtAt)
    }
    const build = async (title: string) => {
      await writeFile(join(house, 'console/main.ts'), `document.title = '${title}'`)
      expect(prepare().code).toBe(0)
      return (await readdir(assets)).sort()
    }
    // A build of one file keeps three: what is over a day old goes first, then what is oldest.
    const third = await build('three')
    expect(third).toEqual(expect.arrayContaining([...before, 'left-1.js']))
    expect(third.length).toBe(4)
    const fourth = await build('four')
    expect(fourth).not.toContain('left-1.js')
    expect(fourth.filter(name => third.includes(name)).length).toBe(3)
    expect(fourth.length).toBe(4)
  })

  test('that does not build leaves the old one in place and says so', async () => {
    const before = await built()
    await writeFile(join(house, 'console/main.ts'), `import './nowhere.ts'`)
    const { code, complained } = prepare()
    expect(code).toBe(1)
    expect(complained).toEndWith('The console could not be built.\n')
    expect(await built()).toBe(before)
  })

  test('that there is no place for is told in one line', async () => {
    await rm(join(house, 'dist'), { recursive: true })
    await writeFile(join(house, 'dist'), '')
    const { code, complained } = prepare()
    expect(code).toBe(1)
    expect(complained).toMatch(/^Tollgate could not be made ready here: E[A-Z]+: .*\n$/)
  })
})
