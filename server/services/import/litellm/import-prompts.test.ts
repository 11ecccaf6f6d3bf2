import { afterAll, expect, test } from 'bun:test'
import { LARGEST_PROMPT, MOST_PROMPT_ROOM } from '../../../../contract/prompts.ts'
import { roles } from '../../../../contract/users.ts'
import { openSampleStore } from '../../../../test/sample-store.ts'
import { dropAll, engines } from '../../../../test/services/databases.ts'
import { newUser } from '../../setup.ts'
import { ImportReport } from '../report.ts'
import { takePrompts } from './import-prompts.ts'
import { readPrompts } from './read-prompts.ts'

afterAll(dropAll)

test.each(engines.map(engine => [engine.name, engine] as const))(
  'of what has no room nothing is there, and of two that are called the same one is told of, on %s',
  async (_, { freshUrl }) => {
    const store = await openSampleStore(await freshUrl())
    const { db } = store
    await db
      .insertInto('users')
      .values({ ...newUser('root', 'x', 1), role: roles.root })
      .execute()
    const words = 'a'.repeat(LARGEST_PROMPT - 100)
    const large = Array.from({ length: Math.ceil(MOST_PROMPT_ROOM / LARGEST_PROMPT) + 2 }, (_, at) => ({
      ...{ name: `large-${at}`, text: words, metadata: {} },
    }))
    const report = new ImportReport(() => {})
    const alike = ['a b', 'a/b'].map(name => ({ name, text: 'Hi', metadata: {} }))
    await db
      .transaction()
      .execute(transaction => takePrompts({ store, now: () => 1 }, transaction, [...alike, ...large], report))
    expect(report.notes).toContain('prompt a/b: left out: another is called a-b here')
    const left = report.notes.filter(note => /^prompt large-\d+: left out:/.test(note)).length
    expect(left).toBeGreaterThan(0)
    const names = await db.selectFrom('prompts').select('name').execute()
    const versions = await db.selectFrom('prompt_versions').select('id').execute()
    expect([names.length, versions.length]).toEqual([large.length - left + 1, large.length - left + 1])
    await store.close()
  },
)

test('one that cannot be read takes no other with it', () => {
  const good = {
    prompt_id: 'good',
    litellm_params: { prompt_integration: 'dotprompt', dotprompt_content: 'Hi' },
  }
  const { found, unread } = readPrompts([{ prompt_id: 7 }, good], undefined, () => undefined)
  expect(found.map(({ name }) => name)).toEqual(['good'])
  expect(unread).toEqual(['prompts: number 1 is left out: it is none that can be read'])
  expect(readPrompts({ a: 1 }, undefined, () => undefined).unread).toHaveLength(1)
})
