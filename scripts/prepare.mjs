// Makes a fresh clone ready: packages, the Bun binary, the console. Runs before every npm script, on plain
// Node without dependencies, and is done in a few milliseconds when there is nothing to do.
//   --dev   also the packages that only development and tests need

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts) => join(root, ...parts)
const bun = at('node_modules', 'bun', 'bin', 'bun.exe')

class Failure extends Error {}

try {
  checkNode()
  preparePackages(process.argv.includes('--dev'))
  prepareBun()
  prepareConsole()
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}

function explain(error) {
  if (error instanceof Failure) return error.message
  // A folder that cannot be written is the operator's to mend; anything else is ours.
  return error.syscall ? `Tollgate could not be made ready here: ${error.message}` : error.stack
}

function checkNode() {
  if (Number(process.versions.node.split('.')[0]) >= 20) return
  fail(`Tollgate needs Node 20 or newer to start; this is Node ${process.versions.node}.`)
}

/** npm writes down what it installed; that record is compared with the lock file, package by package. */
function preparePackages(withDev) {
  const wanted = readJson(at('package-lock.json'))?.packages
  if (!wanted) fail('package-lock.json is missing: this is not a whole copy of Tollgate.')
  const installed = readJson(at('node_modules', '.package-lock.json'))?.packages ?? {}
  const lacking = Object.entries(wanted).some(([path, { version, dev, optional, devOptional }]) => {
    if (path === '' || (dev && !withDev)) return false
    const found = installed[path]
    return found ? found.version !== version : !optional && !devOptional
  })
  if (!lacking) return

  say('Installing packages…')
  const keepDev = withDev || Object.values(installed).some(({ dev }) => dev)
  const flags = [
    'ci',
    keepDev ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const npm = process.env.npm_execpath
  const [program, args] = npm ? [process.execPath, [npm, ...flags]] : ['npm', flags]
  run(program, args, 'The packages could not be installed.')
}

/** Package scripts never run here, so Bun's own, which puts its binary in place, is run by name. */
function prepareBun() {
  const placeholderSize = 1_000_000
  if (existsSync(bun) && statSync(bun).size > placeholderSize) return
  run(process.execPath, [at('node_modules', 'bun', 'install.js')], 'The Bun runtime could not be placed.')
  const trial = spawnSync(bun, ['--version'], { encoding: 'utf8' })
  if (trial.status !== 0)
    fail(`The Bun runtime does not work on this machine. ${trial.stderr ?? trial.error}`)
}

/** Builds beside the old console and swaps, so a server that is running never sees half of one. */
function prepareConsole() {
  if (!existsSync(at('console', 'index.html'))) return
  const target = at('dist', 'console')
  const stamp = join(target, '.built.json')
  const files = consoleSources()
  const times = digest(files.map(({ path, size, mtimeMs }) => `${path} ${size} ${mtimeMs}`))
  const built = readJson(stamp)
  if (built?.times === times) return
  const contents = digest(files.flatMap(({ path, full }) => [path, readFileSync(full)]))
  if (built?.contents === contents) return noteTimes(stamp, { times, contents })

  say('Building the console…')
  const fresh = at('dist', `console.${process.pid}`)
  const old = `${fresh}.old`
  mkdirSync(at('dist'), { recursive: true })
  const cannot = 'The console could not be built.'
  try {
    run(
      bun,
      [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--outDir', fresh, '--logLevel', 'warn'],
      cannot,
    )
    run(bun, [at('scripts', 'compress-console.ts'), fresh], cannot)
    writeFileSync(join(fresh, '.built.json'), JSON.stringify({ times, contents }))
    keepRecentAssets(join(target, 'assets'), join(fresh, 'assets'))
    if (existsSync(target)) renameSync(target, old)
    renameSync(fresh, target)
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
  }
}

/** Saves reading all of it the next time; where nothing may be written it is read every time. */
function noteTimes(stamp, built) {
  try {
    writeFileSync(stamp, JSON.stringify(built))
  } catch (error) {
    if (!error.syscall) throw error
  }
}

/**
 * A server or a page that still runs a build before keeps finding its files for a day. The server knows every
 * file by name, so of a day with a hundred builds only the last few are kept.
 */
function keepRecentAssets(before, now) {
  if (!existsSync(before)) return
  const recent = Date.now() - 24 * 3600 * 1000
  const fresh = new Set(readdirSync(now))
  const old = readdirSync(before)
    .filter(name => !fresh.has(name))
    .map(name => ({ name, builtAt: statSync(join(before, name)).mtimeMs }))
    .filter(({ builtAt }) => builtAt > recent)
    .sort((one, other) => other.builtAt - one.builtAt)
    .slice(0, 3 * fresh.size)
  for (const { name } of old) linkSync(join(before, name), join(now, name))
}

function consoleSources() {
  const single = ['vite.config.ts', 'package-lock.json', join('scripts', 'compress-console.ts')]
  const files = [...single.map(name => at(name)), ...filesUnder(at('console')), ...filesUnder(at('contract'))]
  return files.filter(existsSync).map(full => {
    const { size, mtimeMs } = statSync(full)
    return { full, path: relative(root, full).split(sep).join('/'), size, mtimeMs }
  })
}

function filesUnder(folder) {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap(entry => {
    if (entry.isDirectory()) return filesUnder(join(folder, entry.name))
    return /\.test\.tsx?$/.test(entry.name) ? [] : [join(folder, entry.name)]
  })
}

function digest(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Runs to the end; what it had to say is shown only when it fails. */
function run(program, args, failure) {
  const env = { ...process.env, NODE_ENV: 'production' }
  const result = spawnSync(program, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 64 << 20 })
  if (result.status === 0) return
  fail(
    `${[result.stdout, result.stderr, result.error?.message].filter(Boolean).join('\n').trim()}\n${failure}`,
  )
}

function say(line) {
  process.stdout.write(`${line}\n`)
}

function fail(line) {
  throw new Failure(line)
}
