import { dialects } from '../../dialects/index.ts'
import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { geminiChat, geminiInteractions, geminiPlain, modelPath } from '../kit/families/gemini-family.ts'
import { headerKey } from '../kit/keys/credentials.ts'
import { pictureConversion, readFiltered } from './convert-pictures.ts'
import { speechConversion } from './convert-speech.ts'
import { geminiModels } from './models.ts'

const { readProblem } = dialects.gemini
/** Models that do nothing but draw, speak or film. */
const ownModels = [
  'imagen-4.0-generate-001',
  'gemini-2.5-pro-preview-tts',
  'gemini-2.5-flash-preview-tts',
  'veo-3.1-generate-preview',
  'veo-3.1-fast-generate-preview',
]

export const gemini = defineProvider({
  type: 24,
  id: 'gemini',
  name: 'Google Gemini',
  baseUrl: 'https://generativelanguage.googleapis.com',
  models: [...geminiModels, ...ownModels],
  credential: headerKey('x-goog-api-key'),
  chat: [geminiChat(), geminiInteractions()],
  embeddings: geminiPlain('batchEmbedContents'),
  'count-tokens': geminiPlain('countTokens'),
  images: {
    form: 'openai',
    serves: to => /^(models\/)?imagen-/.test(to.model),
    path: to => modelPath(to, 'predict'),
    convert: pictureConversion,
    readProblem,
  },
  speech: {
    form: 'openai',
    serves: to => /-tts\b/.test(to.model),
    path: to => modelPath(to, 'generateContent'),
    convert: speechConversion,
    readProblem,
  },
  readFailure: body => readFailure(body) ?? readFiltered(body),
})
