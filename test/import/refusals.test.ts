import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Client } from '../client.ts'
import { COMMAND, freshDataDir, ROOT_PASSWORD, withProgram } from '../program.ts'
import { makeOlder, newApi } from './older-database.ts'
import { options, peopleOf, redemptions, run, tokens } from './older-house.ts'

describe('nothing is taken over', () => {
  async function olderFile(rootPassword?: string): Promise<string> {
    const older = join(freshDataDir(), 'one-api.db')
    await makeOlder('sqlite', older, newApi, {
      users: await peopleOf(rootPassword),
      tokens,
      redemptions,
      options,
    })
    return older
  }
  const many = () =>
    Array.from({ length: 1200 }, (_, at) => ({
      ...{ id: at + 1, username: `user${at}`, password: '', display_name: '', role: 1, status: 1, quota: 5 },
      ...{ used_quota: 0, request_count: 0, group: 'default', inviter_id: 0 },
    }))
  const refusal = async (environment: Record<string, string>, ...args: string[]): Promise<string> => {
    const { code, out, err } = await run(environment, 'import', ...args)
    expect(out).toBe('')
    expect(code).toBe(1)
    return err
  }

  test('from what is not there, or is no such database', async () => {
    const folder = freshDataDir()
    const environment = { DATA_DIR: folder }
    const typed = COMMAND.length === 1 ? 'tollgate import' : 'npm run import --'
    expect(await refusal(environment)).toContain(`${typed} <database>`)
    expect(await refusal(environment, '--with-everything')).toContain(`${typed} <database>`)
    expect(await refusal(environment, 'x.db', '--wallet=much')).toContain('[--wallet=<dollars>]')
    expect(await refusal(environment, join(folder, 'nothing.db'))).toContain('There is no file')
    writeFileSync(join(folder, 'noise.db'), 'x'.repeat(5000))
    expect(await refusal(environment, join(folder, 'noise.db'))).toContain('cannot be read')
    await makeOlder('sqlite', join(folder, 'other.db'), { ...newApi, tokens: { id: 'number' } }, {})
    expect(await refusal(environment, join(folder, 'other.db'))).toContain(
      'no database of one-api, new-api or LiteLLM',
    )
    const away = await refusal(environment, 'root:hidden-word@tcp(127.0.0.1:9)/oneapi')
    expect(away).toContain('cannot be read')
    expect(away).not.toContain('hidden-word')
    expect(await refusal(environment, folder)).toContain('is a folder: name the file in it')
    for (const name of ['.', 'redis://localhost', 'http://localhost:3000'])
      expect(await refusal(environment, name)).not.toContain('unable to open')
    const odd = await refusal(environment, 'root:hidden-word@db:3306/oneapi')
    expect(odd).toContain('no address of a database is written so')
    expect(odd).not.toContain('hidden-word')
  })

  test('when what stops it comes last; the next time all of it is', async () => {
    const DATA_DIR = freshDataDir()
    const older = join(freshDataDir(), 'one-api.db')
    const [root = {}] = await peopleOf('123456')
    await makeOlder('sqlite', older, newApi, { users: [...many(), { ...root, id: 5000 }] })
    expect(await refusal({ DATA_DIR }, older)).toContain('Set ROOT_PASSWORD')
    const house = new Database(join(DATA_DIR, 'tollgate.db'))
    for (const table of ['users', 'ledger_entries', 'audit_records'])
      expect(house.query(`select count(*) as rows from ${table}`).get()).toEqual({ rows: 0 })
    house.close()
    const { out } = await run({ DATA_DIR, ROOT_PASSWORD }, 'import', older)
    expect(out).toContain('1201 users')
    expect(await run({ DATA_DIR }, 'audit')).toMatchObject({ code: 0 })
  })

  test('when it is damaged further in, or was left half written', async () => {
    const DATA_DIR = freshDataDir()
    const older = join(freshDataDir(), 'one-api.db')
    await makeOlder('sqlite', older, newApi, { users: many() })
    const damaged = join(freshDataDir(), 'damaged.db')
    const bytes = readFileSync(older)
    writeFileSync(damaged, bytes.fill(0, bytes.length / 2))
    const why = await refusal({ DATA_DIR }, damaged)
    expect(why).toBe(
      'The database to import from cannot be read: database disk image is malformed\nNothing was taken over.\n',
    )

    // As a power cut leaves it: more was written than there is room for in memory, and nothing was committed.
    const killed = join(freshDataDir(), 'killed.db')
    const writer = new Database(older)
    writer.run('pragma cache_size = 2')
    writer.run('begin')
    writer.run('update users set quota = 6')
    for (const end of ['', '-journal']) copyFileSync(`${older}${end}`, `${killed}${end}`)
    writer.run('rollback')
    writer.close()
    expect(await refusal({ DATA_DIR }, killed)).toContain('start that once more and stop it')
    const again = new Database(killed)
    expect(again.query('select distinct quota from users').all()).toEqual([{ quota: 5 }])
    again.close()
    expect((await run({ DATA_DIR }, 'import', killed)).out).toContain('1200 users')
  })

  test('into the older database itself, nor is that touched by a start on it', async () => {
    const older = await olderFile()
    const bytes = Bun.hash(readFileSync(older))
    const environment = { DATA_DIR: freshDataDir(), DATABASE_URL: `sqlite:${older}` }
    for (const args of [['import', older], []]) {
      const { code, err } = await run(environment, ...args)
      expect([args, code, err]).toEqual([
        args,
        78,
        expect.stringContaining('it is a database of one-api or new-api'),
      ])
    }
    expect(Bun.hash(readFileSync(older))).toBe(bytes)
    expect(readdirSync(dirname(older))).toEqual([basename(older)])
  })

  test('into an installation that is in use, a second time included', async () => {
    const environment = { DATA_DIR: freshDataDir() }
    const older = await olderFile()
    expect((await run(environment, 'import', older)).code).toBe(0)
    expect(await refusal(environment, older)).toContain('This installation is in use: it has users')
    expect(await run(environment, 'audit')).toMatchObject({ code: 0 })
  })

  test('while the first account has the password that everybody knows, unless it gets another', async () => {
    const environment = { DATA_DIR: freshDataDir() }
    const older = await olderFile('123456')
    expect(await refusal(environment, older)).toContain('Set ROOT_PASSWORD')
    const { code, out } = await run({ ...environment, ROOT_PASSWORD }, 'import', older)
    expect(code).toBe(0)
    expect(out).toContain('user root: gets the password in ROOT_PASSWORD')
    await withProgram(environment, async ({ url }) => {
      expect((await new Client(url).login('root', '123456')).json.success).toBe(false)
      expect((await new Client(url).login('root', ROOT_PASSWORD)).json.success).toBe(true)
    })
  })
})
