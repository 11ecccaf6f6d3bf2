import type { JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import { type Destination, defineProvider, type Edits, type VendorForm } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { statusByCode } from '../kit/answers/status-by-code.ts'
import { developerToSystem } from '../kit/edits/developer-to-system.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { openaiChat, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { readAnswer, readUsage } from './read-answer.ts'
import { AgentReader } from './stream-reader.ts'
import { writeRequest } from './write-request.ts'

const HOST = 'https://api.perplexity.ai'
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
  baseUrl: HOST,
  models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research', 'perplexity-search'],
  credential: bearer(),
  chat: [
    {
      dialect: agentForm,
      path: ({ baseUrl }) => (endsInVersion(baseUrl) ? '/responses' : '/v1/responses'),
      serves: isAgent,
      readProblem,
    },
    {
      ...openaiChat({
        path: '/chat/completions',
        edit: editBody(developerToSystem, refuseTools),
        readProblem,
      }),
      serves: to => !isAgent(to),
    },
  ],
  'web-search': plain('openai', searchPath, { edit: leaveOutModel, readProblem }),
  readFailure,
})

/** Others that pass its models on still speak its chat, which never had a version in its address. */
function isAgent({ baseUrl }: Destination): boolean {
  return baseUrl === HOST || endsInVersion(baseUrl)
}

function endsInVersion(baseUrl: string): boolean {
  return baseUrl.endsWith('/v1')
}

/** Its search never had a version in its address, unlike that of others who pass it on. */
function searchPath({ baseUrl }: Destination): string {
  return baseUrl === `${HOST}/v1` ? `${HOST}/search` : '/search'
}

/** A search is made by no model of its own. */
function leaveOutModel(): Edits {
  return { model: undefined, search_tool_name: undefined }
}

/** In its chat the models call no tools: another channel may have one that does. */
function refuseTools({ tools }: JsonObject): undefined {
  if (Array.isArray(tools) && tools.length > 0) refuseNamed('tools')
}
