import { type Destination, defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { callsAskedInResponses } from '../kit/edits/calls-in-responses.ts'
import { leaveOutSearch } from '../kit/edits/leave-out-search.ts'
import { chatOfOpenai, openaiResponses, plain } from '../kit/families/openai-family.ts'
import { headerKey } from '../kit/keys/credentials.ts'
import { encodeSegment, endsInVersion } from '../kit/url.ts'
import { openaiModels } from '../openai/models.ts'

const DEFAULT_VERSION = '2025-04-01-preview'

export const azure = defineProvider({
  type: 3,
  id: 'azure',
  name: 'Azure OpenAI',
  baseUrl: '',
  models: openaiModels,
  credential: headerKey('api-key'),
  chat: [
    chatOfOpenai(
      task('chat/completions'),
      leaveOutSearch(() => true),
    ),
    openaiResponses({
      path: '/openai/v1/responses',
      insists: callsAskedInResponses,
      worksInBackground: true,
      keeps: true,
    }),
  ],
  completions: plain('openai', task('completions')),
  embeddings: plain('openai', task('embeddings')),
  images: plain('openai', task('images/generations')),
  'image-edits': plain('openai', task('images/edits')),
  speech: plain('openai', task('audio/speech')),
  transcriptions: plain('openai', task('audio/transcriptions')),
  translations: plain('openai', task('audio/translations')),
  realtime: { path: realtimePath },
  readFailure,
})

/** A base URL that ends in `/openai/v1` names Azure's newer surface, which takes the deployment as the model. */
function task(name: string): (to: Destination) => string {
  return to =>
    endsInVersion(to.baseUrl)
      ? `/openai/v1/${name}`
      : `/openai/deployments/${encodeSegment(deploymentOf(to.model))}/${name}?api-version=${versionOf(to)}`
}

function realtimePath(to: Destination): string {
  const deployment = encodeSegment(deploymentOf(to.model))
  return endsInVersion(to.baseUrl)
    ? `/openai/v1/realtime?model=${deployment}`
    : `/openai/realtime?api-version=${versionOf(to)}&deployment=${deployment}`
}

/** Azure itself spells this one model without its dot. */
function deploymentOf(model: string): string {
  return model.startsWith('gpt-3.5') ? model.replace('gpt-3.5', 'gpt-35') : model
}

function versionOf(to: Destination): string {
  return encodeURIComponent(to.other.trim() || DEFAULT_VERSION)
}
