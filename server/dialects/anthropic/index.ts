import type { Dialect } from '../dialect.ts'
import { asArray, asObject, asText, isObject } from '../json.ts'
import { areNamed } from '../sse.ts'
import { accountData } from './account-data.ts'
import { PING } from './frames.ts'
import { filesMadeIn } from './named-files.ts'
import { readProblem, writeProblem, writeStreamProblem } from './problems.ts'
import { readAnswer } from './read-answer.ts'
import { readRequest } from './read-request.ts'
import { readUsage } from './read-usage.ts'
import { AnthropicReader } from './stream-reader.ts'
import { AnthropicWatcher } from './stream-watcher.ts'
import { AnthropicWriter } from './stream-writer.ts'
import { writeAnswer } from './write-answer.ts'
import { isTakenStop, writeRequest } from './write-request.ts'

const openings: ReadonlySet<string> = new Set(['message_start', 'ping'])

export const anthropic: Dialect = {
  name: 'anthropic',
  readRequest,
  writeRequest,
  readAnswer,
  isDoubtful: body => asArray(body.content).length === 0,
  writeAnswer,
  readUsage: body => readUsage(asObject(body.usage), body.container),
  takeStops: stops => stops.filter(isTakenStop),
  createReader: () => new AnthropicReader(),
  createWriter: asked => new AnthropicWriter(asked),
  opens: frames => areNamed(frames, openings),
  createWatcher: () => new AnthropicWatcher(),
  stores: request => isObject(request.thread),
  storedIds: body => ({ response: asText(body.id), items: [], files: filesMadeIn(body.content) }),
  readProblem,
  accountData,
  writeProblem,
  writeStreamProblem,
  keepAlive: PING,
}
