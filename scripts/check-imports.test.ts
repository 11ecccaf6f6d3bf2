import { describe, expect, test } from 'bun:test'
import { findViolations } from './check-imports.ts'

function refused(path: string, source: string): number[] {
  return findViolations(path, source).map(({ line }) => line)
}

describe('a wrong direction is caught', () => {
  test.each([
    [
      'a provider that reaches into the store',
      'server/providers/openai/chat.ts',
      `import { db } from '../../store/open.ts'`,
    ],
    ['a type', 'server/dialects/spec.ts', `import type { Price } from '../ledger/price.ts'`],
    ['a re-export', 'server/store/schema.ts', `export { hold } from '../ledger/hold.ts'`],
    ['a star re-export', 'server/store/schema.ts', `export * from '../ledger/hold.ts'`],
    ['a side-effect import', 'server/outbound/client.ts', `import '../jobs/clean.ts'`],
    ['a dynamic import', 'server/ledger/hold.ts', `const a = await import('../http/api.ts')`],
    ['a template import', 'console/main.tsx', 'const a = await import(`../server/main.ts`)'],
    ['a worker file', 'server/store/open.ts', `new Worker(new URL('../jobs/thread.ts', import.meta.url))`],
    ['the console in the server', 'server/http/static.ts', `import { theme } from '../../console/theme.ts'`],
    ['the server in the console', 'console/api.ts', `import { AppError } from '../server/errors.ts'`],
    ['the server in the contract', 'contract/users.ts', `import { AppError } from '../server/errors.ts'`],
    ['test code in the product', 'server/main.ts', `import { fake } from '../test/fake-upstream.ts'`],
    ['a leaf that imports a room', 'server/log.ts', `import { db } from './store/open.ts'`],
    ['a leaf that imports a leaf', 'server/errors.ts', `import { log } from './log.ts'`],
    ['a room that imports the root', 'server/relay/route.ts', `import { env } from '../env.ts'`],
    ['the inside of providers in services', 'server/services/a.ts', `import a from '../providers/kit/a.ts'`],
    ['http straight to the store', 'server/http/api.ts', `import { db } from '../store/open.ts'`],
    ['a package in the contract', 'contract/users.ts', `import { Hono } from 'hono'`],
    ['a file outside', 'server/main.ts', `import a from '../../elsewhere/a.ts'`],
  ])('%s', (_, path, source) => {
    expect(refused(path, source)).toEqual([1])
  })

  test('over several lines, with the line of the file name', () => {
    const source = `import { a } from '../errors.ts'\n\nimport {\n  hold,\n  settle,\n} from '../ledger/hold.ts'\n`
    expect(refused('server/store/schema.ts', source)).toEqual([6])
  })
})

describe('the right direction passes', () => {
  test.each([
    ['the relay over its rooms', 'server/relay/a.ts', `import { hold } from '../ledger/hold.ts'`],
    [
      'the contract from anywhere',
      'server/dialects/anthropic/read.ts',
      `import { e } from '../../../contract/errors.ts'`,
    ],
    ['leaves from a room', 'server/store/open.ts', `import { log } from '../log.ts'`],
    ['a room from itself', 'server/http/api/users.ts', `import { guard } from '../guards.ts'`],
    [
      'provider definitions in services',
      'server/services/a.ts',
      `import { all } from '../providers/index.ts'`,
    ],
    ['the composition root over all', 'server/main.ts', `import { start } from './jobs/start.ts'`],
    [
      'a test over all',
      'server/store/open.test.ts',
      `import { engines } from '../../test/services/databases.ts'`,
    ],
    ['the whole-app tests', 'test/app.test.ts', `import { main } from '../server/main.ts'`],
    ['the contract on zod', 'contract/users.ts', `import { z } from 'zod/mini'`],
    ['words in a comment', 'server/store/open.ts', ` * import { a } from '../ledger/a.ts'`],
  ])('%s', (_, path, source) => {
    expect(refused(path, source)).toEqual([])
  })
})
