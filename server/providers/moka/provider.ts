import { defineProvider } from '../define.ts'
import { bearer } from '../kit/credentials.ts'
import { editBody } from '../kit/edit-body.ts'
import { keepKnownNames } from '../kit/keep-known-fields.ts'
import { plain } from '../kit/openai-family.ts'
import { readFailure } from '../kit/read-failure.ts'
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
