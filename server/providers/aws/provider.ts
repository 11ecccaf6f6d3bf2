import { signV4 } from '../../outbound/sign-v4.ts'
import { anthropicModels } from '../anthropic/models.ts'
import { type Destination, defineProvider, type EditBody, type Signer } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { keepBetas } from '../kit/edits/keep-betas.ts'
import { leaveOutForeign } from '../kit/edits/leave-out-foreign.ts'
import { leaveOutOwn } from '../kit/edits/leave-out-own.ts'
import { encodeSegment } from '../kit/url.ts'
import { nameModel } from './name-model.ts'
import { bedrockEvents } from './read-events.ts'
import { readKey } from './read-key.ts'
import { readProblem } from './read-problem.ts'

/** Claude on Bedrock: Anthropic's bodies, with the model in the address and streams in AWS's own frames. */
export const aws = defineProvider({
  type: 33,
  id: 'aws',
  name: 'AWS Claude',
  baseUrl: '',
  models: anthropicModels,
  credential: () => ({}),
  signer: { sign },
  chat: [
    {
      dialect: 'anthropic',
      path,
      framing: bedrockEvents,
      edit: editBody(leaveOutForeign, leaveOutOwn, fitBody),
      readProblem,
      inlinesMedia: true,
      hidesClientHeaders: true,
      // It fetches nothing itself.
      passes: text => !text.includes('"url"'),
    },
  ],
  readFailure,
  modelList: 'none',
})

function path(to: Destination): string {
  const { region } = readKey(to.key)
  const host = `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  const method = to.stream ? 'invoke-with-response-stream' : 'invoke'
  const rest = `/model/${encodeSegment(nameModel(to.model, region))}/${method}`
  return to.baseUrl === '' ? host + rest : rest
}

/** What Bedrock takes; any other is a 400. */
const betas: ReadonlySet<string> = new Set([
  'compact-2026-01-12',
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dev-full-thinking-2025-05-14',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'mid-conversation-output-config-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01',
  'output-128k-2025-02-19',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
  'tool-search-tool-2025-10-19',
])

function fitBody(...[body, , client]: Parameters<EditBody>): ReturnType<EditBody> {
  const kept = body.anthropic_beta === undefined ? keepBetas(betas, body, client) : undefined
  return {
    model: undefined,
    stream: undefined,
    // It has neither tiers nor a faster way of Anthropic's: it answers as it always does, at its usual price.
    ...(body.speed !== undefined && { speed: undefined }),
    ...(body.service_tier !== undefined && { service_tier: undefined }),
    anthropic_version: 'bedrock-2023-05-31',
    ...(kept && { anthropic_beta: kept }),
  }
}

function sign(...[request, to, { now }]: Parameters<Signer['sign']>): { headers: Record<string, string> } {
  const key = readKey(to.key)
  if (key.kind === 'bearer') return { headers: { authorization: `Bearer ${key.apiKey}` } }
  return { headers: signV4(request, { ...key, service: 'bedrock' }, now()) }
}
