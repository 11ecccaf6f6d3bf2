import { expect, test } from 'bun:test'
import { rootClient } from './client.ts'
import { ROOT_PASSWORD, withProgram } from './program.ts'
import { refusal } from './refusal.ts'
import { startMariadb } from './services/databases.ts'

const SECRET_KEY = 'jK3x-9fQ2-mZ81-pW47-Lr05-tB66-Yc92-Dn34'

test('a server of MySQL whose sessions would lose what is written is refused, and what is in it is left', async () => {
  const server = await startMariadb()
  const admin = new Bun.SQL(server.url, { max: 1 })
  const addressOf = async (name: string): Promise<string> => {
    await admin.unsafe(`create database if not exists ${name}`)
    return new URL(`/${name}`, server.url).href
  }
  const tables = (name: string) =>
    admin`select table_name from information_schema.tables where table_schema = ${name}`
  const strict = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'
  try {
    const filled = { DATABASE_URL: await addressOf('filled'), SECRET_KEY, ROOT_PASSWORD }
    const fresh = { DATABASE_URL: await addressOf('fresh') }
    await withProgram(filled, async () => {})
    for (const [set, told] of [
      ['autocommit = 0', '/fresh: autocommit is off there'],
      ["sql_mode = 'ORACLE'", '/fresh: its sql_mode has ORACLE'],
      ["sql_mode = 'NO_ENGINE_SUBSTITUTION'", '/fresh: its sql_mode is not strict'],
    ] as const) {
      await admin.unsafe(`set global ${set}`)
      const said = await refusal(fresh)
      expect(said).toContain('the database cannot be used: MySQL')
      expect(said).toContain(told)
      expect(await tables('fresh')).toHaveLength(0)
      if (told.includes('not strict'))
        await withProgram(filled, async program => {
          expect(program.output()).toContain('the database should be set up otherwise: its sql_mode is not')
        })
      else expect(await refusal(filled)).toContain(told.replace('fresh', 'filled'))
      await admin.unsafe(`set global autocommit = 1, global sql_mode = '${strict}'`)
    }
    await withProgram(filled, async program => {
      await rootClient(program.url)
      expect(program.output()).not.toContain('set up otherwise')
    })
  } finally {
    await admin.close()
    await server.close()
  }
})
