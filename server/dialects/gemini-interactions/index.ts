import type { Dialect } from '../dialect.ts'
import { asArray } from '../json.ts'
import { refuseFeature } from '../refuse.ts'
import { areNamed } from '../sse.ts'
import { accountData } from './account-data.ts'
import { readProblem, writeProblem, writeStreamProblem } from './problems.ts'
import { readAnswer } from './read-answer.ts'
import { readUsage } from './read-usage.ts'
import { storedIds } from './stored-ids.ts'
import { createReader } from './stream-reader.ts'
import { createWatcher } from './stream-watcher.ts'

const openings: ReadonlySet<string> = new Set(['interaction.created', 'interaction.status_update'])

/** Nobody but Google has them: there is nothing to put them into, and nobody else's answer that could be one. */
const refuse = (): never => refuseFeature('feature.interactions')

/** Google's Interactions: what comes in them goes to Google as it is, and comes back as it is. */
export const geminiInteractions: Dialect = {
  name: 'gemini-interactions',
  readRequest: refuse,
  writeRequest: refuse,
  writeAnswer: refuse,
  createWriter: refuse,
  readAnswer,
  isDoubtful: body => asArray(body.steps).length === 0 || body.status === 'failed',
  readUsage,
  createReader,
  opens: frames => areNamed(frames, openings),
  createWatcher,
  stores: request => request.store !== false,
  storedIds,
  readProblem,
  accountData,
  writeProblem,
  writeStreamProblem,
  keepAlive: ': keep-alive\n\n',
}
