import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { describeSubject } from '../server/audit-subjects.ts'
import { COMMAND, preparedDataDir, ROOT_PASSWORD, startProgram } from './program.ts'
import { dropAll } from './services/databases.ts'

afterAll(dropAll)

test('the audit says whose balance, and of which hour the sums are not as they should be', async () => {
  const DATA_DIR = await preparedDataDir()
  await (await startProgram({ DATA_DIR, ROOT_PASSWORD })).stop()
  const database = new Database(join(DATA_DIR, 'tollgate.db'))
  database.run('update users set quota = quota + 5 where id = 1')
  database.run(
    "insert into usage_hourly (hour, user_id, token_id, channel_id, model_name, 'group', requests, quota) " +
      "values (1800000000, 1, 0, 0, 'm', 'default', 1, 7)",
  )
  database.close()
  const { exitCode, stdout } = Bun.spawnSync([...COMMAND, 'audit'], { env: { DATA_DIR } })
  const said = stdout.toString()
  expect(said).toMatch(/wallet = entries - open holds: user 1 should be \d+ and is \d+\n/)
  expect(said).toContain('hourly sums = logs: the hour from 2027-01-15T08:00:00.000Z should be 0 and is 7\n')
  expect(said).toEndWith('The books do not agree.\n')
  // Whatever is checked, it is said what its numbers are the numbers of.
  const checks = [...said.matchAll(/^ {2}(?:ok|WRONG) +(.+?)(?:: \d+)?$/gm)].map(([, name = '']) => name)
  expect(checks.length).toBeGreaterThan(15)
  expect(checks.filter(name => describeSubject(name, '1') === '1')).toEqual([])
  expect(exitCode).toBe(1)
})
