import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { statusByCode } from '../kit/answers/status-by-code.ts'
import { developerToSystem } from '../kit/edits/developer-to-system.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { fitEffort } from '../kit/edits/fit-effort.ts'
import { keepKnownFields, keepKnownNames } from '../kit/edits/keep-known-fields.ts'
import { narrowTools } from '../kit/edits/narrow-tools.ts'
import { shortenToolIds } from '../kit/edits/tool-ids.ts'
import { openaiChat, plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { speechConversion } from './convert-speech.ts'
import { effortWord } from './effort-word.ts'
import { chatFields, embeddingFields } from './known-fields.ts'
import { nameFiles } from './name-files.ts'
import { renameChatFields, renameEmbeddingFields } from './rename-fields.ts'

/** A prompt that its guardrails held back is no lack of rights. */
const readProblem = statusByCode(
  new Map([
    ['invalid_model', 404],
    ['3900', 400],
  ]),
)

export const mistral = defineProvider({
  type: 42,
  id: 'mistral',
  name: 'Mistral',
  baseUrl: 'https://api.mistral.ai',
  models: [
    'mistral-large-latest',
    'mistral-medium-latest',
    'mistral-small-latest',
    'codestral-latest',
    'magistral-medium-latest',
    'mistral-embed',
    'mistral-ocr-latest',
  ],
  credential: bearer(),
  chat: [
    openaiChat({
      edit: editBody(
        developerToSystem,
        narrowTools,
        renameChatFields,
        nameFiles,
        fitEffort(effortWord),
        keepKnownFields(chatFields),
        shortenToolIds,
      ),
      // Content may be a list with thoughts in it, and an answer end for reasons that OpenAI has no word for.
      rewordsAnswers: true,
      readProblem,
    }),
  ],
  embeddings: plain('openai', '/v1/embeddings', {
    edit: editBody(renameEmbeddingFields, keepKnownNames(embeddingFields)),
    readProblem,
  }),
  moderations: plain('openai', '/v1/moderations'),
  speech: { ...plain('openai', '/v1/audio/speech', { readProblem }), convert: speechConversion },
  transcriptions: plain('openai', '/v1/audio/transcriptions'),
  ocr: plain('openai', '/v1/ocr', { readProblem }),
  readFailure,
})
