import type { VendorForm } from '../define.ts'
import { readProblem } from './read-problem.ts'
import { CozeReader } from './stream-reader.ts'
import { writeRequest } from './write-request.ts'

export const cozeForm: VendorForm = {
  writeRequest,
  // What comes whole says at most that a bot has begun.
  readAnswer: () => undefined,
  readUsage: () => undefined,
  takeStops: () => [],
  createReader: () => new CozeReader(),
  readProblem,
}
