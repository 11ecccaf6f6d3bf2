import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client, rootClient } from './client.ts'
import { COMMAND, freshDataDir, preparedDataDir, ROOT_PASSWORD, startProgram, until } from './program.ts'
import { dropAll, engines } from './services/databases.ts'

afterAll(dropAll)

function command(environment: Record<string, string>, ...args: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...COMMAND, ...args], { env: environment })
  return { exitCode, said: stdout.toString() + stderr.toString() }
}

test('a backup taken while the program runs is a whole installation of that moment', async () => {
  const DATA_DIR = join(freshDataDir(), 'data')
  const folder = join(freshDataDir(), 'monday')
  const program = await startProgram({ DATA_DIR, ROOT_PASSWORD })
  const root = await rootClient(program.url)
  await root.saveOption('SMTPToken', 'a-secret-of-the-mail-server')
  const codes = await root.post('/api/redemption/', { name: 'gift', quota: 700, count: 2 })
  await root.post('/api/user/topup', { key: codes.json.data[0] })
  expect(command({ DATA_DIR }, 'backup', folder).exitCode).toBe(0)
  await root.post('/api/user/topup', { key: codes.json.data[1] })
  expect((await root.get('/api/user/self')).json.data.quota).toBe(1400)
  await program.stop()
  expect(readdirSync(folder).sort()).toEqual(['secret.key', 'tollgate.db'])
  // Codes that are worth money stand in it: it is nobody else's on this machine.
  const ours = [DATA_DIR, folder, ...readdirSync(folder).map(name => join(folder, name))]
  expect(ours.filter(path => (statSync(path).mode & 0o077) !== 0)).toEqual([])

  const again = command({ DATA_DIR }, 'backup', folder)
  expect(again.exitCode).toBe(78)
  expect(again.said).toContain('is there already: name another folder')

  const restored = await startProgram({ DATA_DIR: folder })
  const there = new Client(restored.url)
  await there.login('root', ROOT_PASSWORD)
  expect((await there.get('/api/user/self')).json.data.quota).toBe(700)
  await restored.stop()
  const audit = command({ DATA_DIR: folder }, 'audit')
  expect(audit.said).not.toContain('WRONG')
  expect(audit.said).toEndWith('The books agree.\n')
  expect(audit.exitCode).toBe(0)

  // A variable that names the file that was saved would have the copy passed over.
  const named = { DATA_DIR, DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}` }
  const tuesday = join(freshDataDir(), 'tuesday')
  expect(command(named, 'backup', tuesday).said).toContain(`DATA_DIR=${tuesday} and without DATABASE_URL.`)
})

test('a copy that is killed half-way has not the name of a whole one, and is open to nobody', async () => {
  const DATA_DIR = join(freshDataDir(), 'data')
  const folder = freshDataDir()
  chmodSync(folder, 0o777)
  const program = await startProgram({ DATA_DIR, ROOT_PASSWORD })
  await program.stop()
  const file = join(DATA_DIR, 'tollgate.db')
  const database = new Database(file)
  database.run('create table ballast (bytes blob)')
  const grow = (): number => {
    for (let at = 0; at < 60; at++) database.run('insert into ballast values (zeroblob(1000000))')
    database.run('pragma wal_checkpoint(truncate)')
    return statSync(file).size
  }
  /** What there is of a copy when its process is killed; undefined when it was about whole before anybody looked. */
  const breakOff = async (whole: number) => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    const child = Bun.spawn([...COMMAND, 'backup', folder], { env: { DATA_DIR } })
    await until(() => readdirSync(folder).length > 0)
    child.kill('SIGSTOP')
    const seen = readdirSync(folder).map(name => {
      const { size, mode } = statSync(join(folder, name))
      return { name, size, mode }
    })
    child.kill('SIGKILL')
    await child.exited
    return seen.some(({ size }) => size > whole * 0.9) ? undefined : seen
  }
  // The more there is, the longer it takes: in the end it is seen half-way.
  const seen = await until(() => breakOff(grow()).catch(() => undefined))
  database.close()
  for (const { name, mode } of seen)
    expect([name.slice(0, 'tollgate.db.part'.length), mode & 0o077]).toEqual(['tollgate.db.part', 0])
  expect(readdirSync(folder)).not.toContain('tollgate.db')
  // What was begun is in nobody's way.
  expect(command({ DATA_DIR }, 'backup', folder).exitCode).toBe(0)
  expect(readdirSync(folder).sort()).toEqual(['secret.key', 'tollgate.db'])
})

test('a copy is made with the key that opens it, or not at all', async () => {
  const DATA_DIR = await preparedDataDir()
  const folder = join(freshDataDir(), 'monday')
  const SECRET_KEY = 'jK3x-9fQ2-mZ81-pW47-Lr05-tB66-Yc92-Dn34'
  const program = await startProgram({ DATA_DIR, SECRET_KEY, ROOT_PASSWORD })
  await program.stop()
  // As by a timer of its own, to which nobody told the key.
  const others: Record<string, string>[] = [{}, { SECRET_KEY: SECRET_KEY.split('').reverse().join('') }]
  for (const other of others) {
    const forgotten = command({ DATA_DIR, ...other }, 'backup', folder)
    expect(forgotten.said).toContain('SECRET_KEY does not belong to this database')
    expect(forgotten.exitCode).toBe(78)
    expect([existsSync(folder), existsSync(join(DATA_DIR, 'secret.key'))]).toEqual([false, false])
  }
  expect(command({ DATA_DIR, SECRET_KEY }, 'backup', folder).exitCode).toBe(0)
  expect(readdirSync(folder)).toEqual(['tollgate.db'])
  expect(command({ DATA_DIR: folder, SECRET_KEY }, 'audit').said).toEndWith('The books agree.\n')
})

test('what cannot be saved this way is told, and nothing is made', async () => {
  const DATA_DIR = freshDataDir()
  const folder = join(DATA_DIR, 'copy')
  expect(command({ DATA_DIR }, 'backup').said).toContain('backup wants one folder')
  expect(command({ DATA_DIR }, 'backup', folder).said).toContain('there is no database')
  const [, postgres, mariadb] = await Promise.all(engines.map(engine => engine.freshUrl()))
  for (const [url, tool] of [
    [postgres, 'pg_dump'],
    [mariadb, 'mysqldump --single-transaction'],
  ] as const)
    expect(command({ DATA_DIR, DATABASE_URL: url ?? '' }, 'backup', folder).said).toContain(tool)
  expect(existsSync(folder)).toBe(false)
})
