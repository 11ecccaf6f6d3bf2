import type { VendorForm } from '../define.ts'
import { readAnswer, readUsage } from './read-answer.ts'
import { readProblem } from './read-problem.ts'
import { DifyReader } from './stream-reader.ts'
import { writeRequest } from './write-request.ts'

/** Apps that somebody has built: a question goes in, and words come out. */
export const difyForm: VendorForm = {
  writeRequest,
  readAnswer,
  readUsage,
  takeStops: () => [],
  createReader: () => new DifyReader(false),
  readProblem,
}

export const workflowForm: VendorForm = { ...difyForm, createReader: () => new DifyReader(true) }
