import type { Dialect } from '../dialect.ts'
import { accountData } from './account-data.ts'
import { opens } from './opening.ts'
import { countOwnSearches, withOwnSearches } from './own-searches.ts'
import { isDoubtful, readAnswer } from './read-answer.ts'
import { readProblem } from './read-problem.ts'
import { readRequest } from './read-request.ts'
import { readUsage } from './read-usage.ts'
import { ChatStreamReader } from './stream-reader.ts'
import { ChatStreamWatcher } from './stream-watcher.ts'
import { ChatStreamWriter } from './stream-writer.ts'
import { writeAnswer } from './write-answer.ts'
import { writeProblem, writeStreamProblem } from './write-problem.ts'
import { writeRequest } from './write-request.ts'

export const openaiChat: Dialect = {
  name: 'openai-chat',
  readRequest,
  writeRequest,
  readAnswer,
  isDoubtful,
  severalIn: 'choices',
  tellsLogprobs: true,
  writeAnswer,
  readUsage: body => withOwnSearches(readUsage(body.usage), countOwnSearches(body)),
  // More are refused by the vendor.
  takeStops: stops => stops.slice(0, 4),
  createReader: () => new ChatStreamReader(),
  createWriter: asked => new ChatStreamWriter(asked),
  opens,
  createWatcher: options => new ChatStreamWatcher(options),
  readProblem,
  accountData,
  writeProblem,
  writeStreamProblem,
  keepAlive: ': keep-alive\n\n',
}
