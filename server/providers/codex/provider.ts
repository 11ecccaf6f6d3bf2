import { type Credential, defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { openaiResponses, plain } from '../kit/families/openai-family.ts'
import { fitCodex } from './fit-codex.ts'
import { type CodexKey, readKey } from './read-key.ts'
import { readProblem } from './read-problem.ts'
import { HOME, tokenRenewal } from './renew-key.ts'

const MOST_KNOWN = 1000
const known = new Map<string, CodexKey>()

/** Keys are long, and read for every request. */
function knownKey(key: string): CodexKey {
  const found = known.get(key)
  if (found) return found
  if (known.size >= MOST_KNOWN) known.clear()
  const read = readKey(key)
  known.set(key, read)
  return read
}

const subscriber: Credential = key => {
  const { accessToken, accountId } = knownKey(key)
  const headers: Record<string, string> = {
    authorization: `Bearer ${accessToken}`,
    'openai-beta': 'responses=experimental',
    originator: 'codex_cli_rs',
  }
  if (accountId !== '') headers['chatgpt-account-id'] = accountId
  return headers
}

const reader: Credential = (key, to) => ({ ...subscriber(key, to), accept: 'text/event-stream' })

const responses = openaiResponses({ path: '/backend-api/codex/responses' })

/** ChatGPT subscriptions, by the way that the Codex CLI takes: Responses, streamed, nothing kept; and its searches. */
export const codex = defineProvider({
  type: 57,
  id: 'codex',
  name: 'Codex',
  baseUrl: HOME,
  models: ['gpt-5.6-sol', 'gpt-5.5', 'gpt-5.4', 'gpt-5.4-mini', 'gpt-5.3-codex'],
  credential: subscriber,
  chat: [
    {
      ...responses,
      edit: editBody(...(responses.edit ? [responses.edit] : []), fitCodex),
      credential: reader,
      streamsOnly: true,
      readProblem,
    },
  ],
  search: plain('openai', '/backend-api/codex/alpha/search', { readProblem }),
  readFailure,
  modelList: 'none',
  renewal: tokenRenewal,
})
