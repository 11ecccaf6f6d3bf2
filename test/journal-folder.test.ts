import { afterAll, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND, preparedDataDir } from './program.ts'
import { refusal } from './refusal.ts'
import { dropAll } from './services/databases.ts'

afterAll(dropAll)

/** Some account that is not ours; to root no file is closed. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

/** A start by an account that has the data directory, and not all that is in it. */
async function refused(DATA_DIR: string): Promise<string> {
  if (isRoot) for (const name of ['.', 'tollgate.db']) chownSync(join(DATA_DIR, name), NOBODY, NOBODY)
  const nobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--']
  const env = { PATH: process.env.PATH ?? '', DATA_DIR, PORT: '0', HOST: '127.0.0.1' }
  const command = [...(isRoot ? nobody : []), ...COMMAND]
  const start = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe' })
  // One that is not refused is not waited for.
  for await (const _ of start.stdout) start.kill()
  const said = await new Response(start.stderr).text()
  expect([await start.exited, said]).toEqual([78, expect.not.stringMatching(/^\s+at /m)])
  return said
}

test('a journal that could not take a charge, or has charges that cannot be read, is told at the start', async () => {
  const DATA_DIR = await preparedDataDir()
  const journal = join(DATA_DIR, 'journal')
  mkdirSync(journal)
  chmodSync(journal, 0o555)
  const told = 'in DATA_DIR may not be read or written by this account: change its owner'
  expect(await refused(DATA_DIR)).toContain(`${journal} ${told}`)

  chmodSync(journal, 0o755)
  if (isRoot) chownSync(journal, NOBODY, NOBODY)
  const left = join(journal, 'elsewhere.1.0123456789abcdef01234567.jsonl')
  writeFileSync(left, '', { mode: 0o400 })
  expect(await refused(DATA_DIR)).toContain(`${left} ${told}`)
})

test('a file where the journal has to be is told at the start', async () => {
  const DATA_DIR = await preparedDataDir()
  writeFileSync(join(DATA_DIR, 'journal'), '')
  expect(await refusal({ DATA_DIR })).toContain(`${join(DATA_DIR, 'journal')} in DATA_DIR is not a folder`)
})
