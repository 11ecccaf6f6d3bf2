import { afterAll, expect, test } from 'bun:test'
import { rootClient } from '../client.ts'
import { ROOT_PASSWORD, startProgram } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'

afterAll(dropAll)

const [mariadb] = engines.filter(({ name }) => name === 'mariadb')

/**
 * What a node of a cluster says, in its own number and words, to whoever adds a user: so many times, whatever is taken
 * back, and then no more.
 */
async function speakAsCluster(sql: Bun.SQL, { state, code, text }: Said, times: number): Promise<void> {
  await sql.unsafe('create or replace sequence said start with 1 nocache')
  await sql.unsafe(`create or replace trigger speak before insert on users for each row
    if nextval(said) <= ${times} then
      signal sqlstate '${state}' set mysql_errno = ${code}, message_text = '${text}';
    end if`)
}

interface Said {
  readonly state: string
  readonly code: number
  readonly text: string
}

const notReady = { state: '08S01', code: 1047, text: 'WSREP has not yet prepared node for application use' }
const noMajority = {
  state: 'HY000',
  code: 3100,
  text: 'Error on observer while running replication hook before_commit.',
}
const takenBack = {
  state: '40000',
  code: 3101,
  text: 'Plugin instructed the server to rollback the current transaction.',
}

test('a node of a cluster that is not ready is away, and what it takes back for another node is done again', async () => {
  const url = (await mariadb?.freshUrl()) ?? ''
  const sql = new Bun.SQL(url, { max: 1 })
  const program = await startProgram({ DATABASE_URL: url, ROOT_PASSWORD })
  try {
    const root = await rootClient(program.url)
    const add = (username: string) => root.post('/api/user/', { username, password: 'correct-horse' })
    for (const said of [notReady, noMajority]) {
      await speakAsCluster(sql, said, 1)
      const { status, json } = await add(`user-${said.code}`)
      expect([said.code, status, json.message]).toEqual([said.code, 503, '数据库暂时不可用，请稍后重试'])
      expect((await add(`user-${said.code}`)).json).toMatchObject({ success: true })
    }
    await speakAsCluster(sql, takenBack, 2)
    expect((await add('user-3101')).json).toMatchObject({ success: true })
    const [{ next }] = await sql.unsafe('select next_not_cached_value as next from said')
    expect(Number(next)).toBe(4)
  } finally {
    await program.stop()
    await sql.close()
  }
})
