import { afterAll, expect, test } from 'bun:test'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { PromptLibrary } from './library.ts'

afterAll(dropAll)

test.each(engines.map(engine => [engine.name, engine] as const))(
  'what can be no name is nobody’s on %s, also where the database would not take it',
  async (_, { freshUrl }) => {
    const store = await openSampleStore(await freshUrl())
    const library = new PromptLibrary(store)
    for (const name of ['a\0b', '', ' a', 'pmpt_1', '\ud800', 'a'.repeat(65)])
      expect(await library.find(1, name, undefined).catch(error => error)).toMatchObject({
        code: 'prompt.unknown',
      })
    await store.close()
  },
)
