import { anthropicModels } from '../anthropic/models.ts'
import { type Destination, defineProvider, type EditBody, type Signer } from '../define.ts'
import { editBody } from '../kit/edit-body.ts'
import { leaveOutForeign } from '../kit/leave-out-foreign.ts'
import { readFailure } from '../kit/read-failure.ts'
import { encodeSegment } from '../kit/url.ts'
import { nameModel } from './name-model.ts'
import { bedrockEvents } from './read-events.ts'
import { readKey } from './read-key.ts'
import { readProblem } from './read-problem.ts'
import { signV4 } from './sign-v4.ts'

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
      edit: editBody(leaveOutForeign, fitBody),
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

function fitBody(...[body, , client]: Parameters<EditBody>): ReturnType<EditBody> {
  const betas = client
    ?.get('anthropic-beta')
    ?.split(',')
    .flatMap(beta => beta.trim() || [])
  return {
    model: undefined,
    stream: undefined,
    anthropic_version: 'bedrock-2023-05-31',
    ...(betas && body.anthropic_beta === undefined && { anthropic_beta: betas }),
  }
}

function sign(...[request, to, { now }]: Parameters<Signer['sign']>): { headers: Record<string, string> } {
  const key = readKey(to.key)
  if (key.kind === 'bearer') return { headers: { authorization: `Bearer ${key.apiKey}` } }
  return { headers: signV4(request, { ...key, service: 'bedrock' }, now()) }
}
