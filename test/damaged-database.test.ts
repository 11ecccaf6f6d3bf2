import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { damageTable } from './damage-table.ts'
import { openProgram } from './open-program.ts'
import { preparedDataDir, spawnProgram, until } from './program.ts'

test('a program that meets damage in its file says once what to do, and a figure shows it', async () => {
  const { program, root, database, close } = await openProgram()
  const figure = async (): Promise<string | undefined> =>
    /^tollgate_database_damaged\S* (\d)/m.exec((await root.get('/metrics')).text)?.[1]
  expect(await figure()).toBe('0')
  database.close()
  damageTable(join(program.dataDir, 'tollgate.db'), 'redemptions')
  for (let time = 0; time < 3; time++)
    expect((await root.get('/api/redemption?p=1&page_size=10')).status).toBe(503)
  const told = /"message":"the database file is damaged.*"advice":"stop the program.*put a backup/g
  await until(() => program.output().match(told))
  expect(program.output().match(told)).toHaveLength(1)
  expect(await figure()).toBe('1')
  expect((await root.get('/api/user/self')).status).toBe(200)
  await close()
})

test('a start that meets it after the database was opened is told in one sentence', async () => {
  const DATA_DIR = await preparedDataDir()
  damageTable(join(DATA_DIR, 'tollgate.db'), 'nodes')
  const program = spawnProgram({ DATA_DIR })
  expect(await program.exited).toBe(78)
  expect(program.output()).toMatch(
    /^Tollgate cannot start: the database cannot be used: SQLite \S+: the file is damaged, and a backup has to take its place \(.*\)$/m,
  )
  expect(program.output()).not.toContain('    at ')
})
