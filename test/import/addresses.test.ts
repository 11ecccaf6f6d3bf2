import { expect, test } from 'bun:test'
import { freshDataDir } from '../program.ts'
import { engines } from '../services/databases.ts'
import { makeOlder, newApi } from './older-database.ts'
import { peopleOf, run, tokens } from './older-house.ts'

test('a MySQL database is found by whatever address one-api and new-api were given for it', async () => {
  const url = (await engines.find(({ name }) => name === 'mariadb')?.emptyUrl()) ?? ''
  const { host, pathname } = new URL(url)
  await makeOlder('mariadb', url, newApi, { users: await peopleOf(), tokens })
  const password = 'p@ss:w/o#r%d?x)y@tcp(z'
  const account = `odd${pathname.replace(/\W/g, '').slice(-20)}`
  const sql = new Bun.SQL(url)
  const [{ socket }] = await sql`select @@socket as socket`
  await sql.unsafe(`create user '${account}'@'%' identified by '${password}'`)
  await sql.unsafe(`grant all on \`${pathname.slice(1)}\`.* to '${account}'@'%'`)
  try {
    for (const address of [
      `root@tcp(${host})${pathname}?charset=utf8mb4&parseTime=True&loc=Local`,
      `${account}:${password}@tcp(${host})${pathname}`,
      `root@tcp(${host})${pathname}?parseTime=true&tls=preferred`,
      `root@unix(${socket})${pathname}?parseTime=true`,
      `${account}:${password}@unix(${socket})${pathname}`,
    ]) {
      const { code, out, err } = await run({ DATA_DIR: freshDataDir() }, 'import', address)
      expect([address, code, err]).toEqual([address, 0, ''])
      expect(out).toMatch(/3 users\n +2 tokens\n/)
    }
    // This server has no TLS: where the address asks for it, nothing is said in the clear.
    for (const tls of ['true', 'skip-verify']) {
      const { code, out } = await run(
        { DATA_DIR: freshDataDir() },
        'import',
        `root@tcp(${host})${pathname}?tls=${tls}`,
      )
      expect([tls, code, out]).toEqual([tls, 1, ''])
    }
  } finally {
    await sql.unsafe(`drop user '${account}'@'%'`)
    await sql.close()
  }
})
