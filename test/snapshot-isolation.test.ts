import { expect, test } from 'bun:test'
import { rootClient } from './client.ts'
import { ROOT_PASSWORD, startProgram } from './program.ts'
import { startMariadb } from './services/databases.ts'

const SECRET_KEY = 'qX7v-2mLs-94Tb-Rk61-zH08-cW35-yN72-pD19'
const MANY = 60

test('on a MariaDB that takes back who writes what another has changed meanwhile, all who do so at once are served', async () => {
  const server = await startMariadb({ snapshotIsolation: true })
  const environment = { DATABASE_URL: server.url, SECRET_KEY, ROOT_PASSWORD }
  const first = await startProgram(environment)
  const second = await startProgram(environment)
  try {
    const roots = [await rootClient(first.url), await rootClient(second.url)] as const
    await roots[0].liftLimits()
    const made = await Promise.all(
      Array.from({ length: MANY }, (_, at) =>
        roots[at % 2 === 0 ? 0 : 1].post('/api/user/', { username: `user-${at}`, password: 'correct-horse' }),
      ),
    )
    expect(made.map(({ status, json }) => [status, json?.success])).toEqual(made.map(() => [200, true]))
    const given = await Promise.all(
      Array.from({ length: MANY }, (_, at) =>
        roots[at % 2 === 0 ? 0 : 1].post('/api/redemption/', { name: `gift-${at}`, count: 1, quota: 100 }),
      ),
    )
    expect(given.map(({ status, json }) => [status, json?.success])).toEqual(given.map(() => [200, true]))
    const codes = given.map(({ json }) => json.data[0] as string)
    const redeemed = await Promise.all(
      codes.map((key, at) => roots[at % 2 === 0 ? 0 : 1].post('/api/user/topup', { key })),
    )
    expect(redeemed.map(({ status, json }) => [status, json?.success])).toEqual(
      redeemed.map(() => [200, true]),
    )
    expect((await roots[0].get('/api/user/self')).json.data.quota).toBe(MANY * 100)
  } finally {
    await second.stop()
    await first.stop()
    await server.close()
  }
})
