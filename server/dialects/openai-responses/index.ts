import type { Dialect } from '../dialect.ts'
import { asArray } from '../json.ts'
import { areNamed } from '../sse.ts'
import { accountData } from './account-data.ts'
import { readProblem, writeProblem, writeStreamProblem } from './problems.ts'
import { readAnswer } from './read-answer.ts'
import { readRequest } from './read-request.ts'
import { readUsage } from './read-usage.ts'
import { namedItems, storedIds } from './stored-items.ts'
import { createReader } from './stream-reader.ts'
import { createWatcher } from './stream-watcher.ts'
import { createWriter } from './stream-writer.ts'
import { writeAnswer } from './write-answer.ts'
import { writeRequest } from './write-request.ts'

const openings: ReadonlySet<string> = new Set(['response.created', 'response.queued', 'response.in_progress'])

export const openaiResponses: Dialect = {
  name: 'openai-responses',
  readRequest,
  writeRequest,
  readAnswer,
  isDoubtful: body => asArray(body.output).length === 0,
  writeAnswer,
  readUsage,
  takeStops: () => [],
  tellsLogprobs: true,
  createReader,
  createWriter,
  opens: frames => areNamed(frames, openings),
  createWatcher,
  stores: request => request.store !== false,
  storedIds,
  namedItems,
  readProblem,
  accountData,
  writeProblem,
  writeStreamProblem,
  keepAlive: ': keep-alive\n\n',
}
