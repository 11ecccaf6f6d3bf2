import { anthropicModels } from '../anthropic/models.ts'
import { type Destination, defineProvider } from '../define.ts'
import { geminiModels } from '../gemini/models.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { leaveOutForeign } from '../kit/edits/leave-out-foreign.ts'
import { leaveOutOwn } from '../kit/edits/leave-out-own.ts'
import { openaiChat } from '../kit/families/openai-family.ts'
import { signCalls } from '../kit/keys/sign-calls.ts'
import { claudeName, googleName, googlePath, projectPath } from './address.ts'
import { contentConversion, embedConversion, imageConversion } from './convert-predictions.ts'
import { vertexSigner } from './fetch-token.ts'
import { fitClaude, fitClaudeCount, leaveOutCallIds, leaveOutMixing, unwrapCount } from './fit-body.ts'
import { readCountProblem } from './read-count-problem.ts'
import { readServiceAccount } from './read-key.ts'

/** Google's own models, Claude and open models in one project; what is spoken depends on the model. */
export const vertex = defineProvider({
  type: 41,
  id: 'vertex',
  name: 'Vertex AI',
  baseUrl: '',
  models: [...geminiModels, ...anthropicModels],
  credential: () => ({}),
  signer: vertexSigner,
  chat: [
    {
      dialect: 'gemini',
      serves: isGoogle,
      path: googlePath(to => (to.stream ? 'streamGenerateContent?alt=sse' : 'generateContent')),
      edit: editBody(signCalls, leaveOutCallIds, leaveOutMixing),
      inlinesMedia: true,
    },
    {
      dialect: 'anthropic',
      serves: to => isClaude(to) && inProject(to),
      path: projectPath(
        to =>
          `publishers/anthropic/models/${claudePath(to)}:${to.stream ? 'streamRawPredict' : 'rawPredict'}`,
      ),
      edit: editBody(leaveOutForeign, leaveOutOwn, fitClaude),
      hidesClientHeaders: true,
    },
    {
      ...openaiChat({ path: projectPath(() => 'endpoints/openapi/chat/completions'), asksForUsage: true }),
      serves: to => !isGoogle(to) && !isClaude(to) && inProject(to),
    },
  ],
  embeddings: [
    {
      form: 'openai',
      serves: to => /^gemini-embedding-(?!001)/.test(googleName(to)),
      path: googlePath(() => 'embedContent'),
      convert: contentConversion,
    },
    { form: 'openai', serves: isGoogle, path: googlePath(() => 'predict'), convert: embedConversion },
  ],
  images: {
    form: 'openai',
    serves: to => googleName(to).startsWith('imagen'),
    path: googlePath(() => 'predict'),
    convert: imageConversion,
  },
  'count-tokens': [
    { form: 'gemini', serves: isGoogle, path: googlePath(() => 'countTokens'), edit: unwrapCount },
    {
      form: 'anthropic',
      serves: to => isClaude(to) && inProject(to),
      path: projectPath(() => 'publishers/anthropic/models/count-tokens:rawPredict'),
      edit: editBody(leaveOutForeign, leaveOutOwn, fitClaudeCount),
      readProblem: readCountProblem,
    },
  ],
  readFailure,
  modelList: 'none',
})

function isGoogle(to: Destination): boolean {
  return /^(gemini|gemma|imagen|text-embedding|text-multilingual-embedding|learnlm)/.test(googleName(to))
}

function isClaude(to: Destination): boolean {
  return claudeName(to).startsWith('claude')
}

/** Others' models are not for API keys. */
function inProject(to: Destination): boolean {
  return readServiceAccount(to.key) !== undefined
}

/** An `@` stands in these addresses as it is. */
function claudePath(to: Destination): string {
  return encodeURIComponent(claudeName(to).toWellFormed()).replace('%40', '@')
}
