import { defineProvider, type VendorForm } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { readFailure } from '../kit/read-failure.ts'
import { statusByCode } from '../kit/status-by-code.ts'
import { readAnswer, readUsage } from './read-answer.ts'
import { AgentReader } from './stream-reader.ts'
import { writeRequest } from './write-request.ts'

const readProblem = statusByCode(new Map([['invalid_model', 404]]))

/** What took the place of its chat on 27 September 2026. */
const agentForm: VendorForm = {
  writeRequest,
  readAnswer,
  readUsage,
  createReader: () => new AgentReader(),
  readProblem,
  takeStops: () => [],
}

export const perplexity = defineProvider({
  type: 27,
  id: 'perplexity',
  name: 'Perplexity',
  baseUrl: 'https://api.perplexity.ai',
  models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
  credential: bearer(),
  chat: [{ dialect: agentForm, path: () => '/v1/responses', readProblem }],
  readFailure,
})
