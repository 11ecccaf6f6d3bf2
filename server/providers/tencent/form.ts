import { dialects } from '../../dialects/index.ts'
import type { VendorForm } from '../define.ts'
import { readAnswer, readUsage } from './read-answer.ts'
import { TencentReader } from './stream-reader.ts'
import { writeRequest } from './write-request.ts'

/** The old platform's chat: names that begin with capitals. */
export const tencentForm: VendorForm = {
  writeRequest,
  readAnswer,
  readUsage,
  createReader: () => new TencentReader(),
  readProblem: dialects['openai-chat'].readProblem,
}
