import { dialects } from '../../dialects/index.ts'
import type { VendorForm } from '../define.ts'
import { readAnswer, readUsage } from './read-answer.ts'
import { CohereReader } from './stream-reader.ts'
import { writeRequest } from './write-request.ts'

/** The second version of Cohere's chat: messages nearly as OpenAI's, all else by other names. */
export const cohereForm: VendorForm = {
  writeRequest,
  readAnswer,
  readUsage: body => readUsage(body.usage),
  createReader: () => new CohereReader(),
  readProblem: dialects['openai-chat'].readProblem,
}
