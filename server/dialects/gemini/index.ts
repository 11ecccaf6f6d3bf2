import type { Dialect } from '../dialect.ts'
import { asArray } from '../json.ts'
import { accountData } from './account-data.ts'
import { continuationOf, continuationsIn } from './continuation.ts'
import { readProblem, writeProblem } from './problems.ts'
import { readAnswer } from './read-answer.ts'
import { readRequest } from './read-request.ts'
import { readUsage } from './read-usage.ts'
import { createReader } from './stream-reader.ts'
import { createWatcher } from './stream-watcher.ts'
import { createWriter, writeStreamProblem } from './stream-writer.ts'
import { TOOL_NAME } from './tool-names.ts'
import { writeAnswer } from './write-answer.ts'
import { writeRequest } from './write-request.ts'

export { SseToArray, writeAsArray } from './array-writer.ts'

export const gemini: Dialect = {
  name: 'gemini',
  readRequest,
  writeRequest,
  readAnswer,
  isDoubtful: body => asArray(body.candidates).length === 0,
  severalIn: 'candidates',
  tellsLogprobs: true,
  writeAnswer,
  readUsage,
  takeStops: stops => stops.slice(0, 5),
  toolNames: TOOL_NAME,
  createReader,
  createWriter,
  createWatcher,
  stores: () => true,
  storedIds: body => ({ response: undefined, items: continuationsIn(body) }),
  namedItems: continuationOf,
  readProblem,
  accountData,
  writeProblem,
  writeStreamProblem,
  // Clients of this dialect read streams by hand, and several stop at a line that is not data.
  keepAlive: undefined,
}
