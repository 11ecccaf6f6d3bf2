import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { keepKnownNames } from '../kit/edits/keep-known-fields.ts'
import { plain } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { listInput } from './list-input.ts'

export const moka = defineProvider({
  type: 44,
  id: 'moka',
  name: 'Moka AI',
  baseUrl: 'https://api.moka.ai',
  models: ['m3e-large', 'm3e-base', 'm3e-small'],
  credential: bearer(),
  embeddings: plain('openai', '/embeddings', {
    edit: editBody(keepKnownNames(new Set(['model', 'input'])), listInput),
  }),
  readFailure,
  modelList: 'none',
})
