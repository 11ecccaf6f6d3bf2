import { asArray, asObject, asText } from '../../dialects/json.ts'
import { defineProvider } from '../define.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { addressOf } from './address.ts'
import { pictureConversion } from './convert-pictures.ts'
import { readFailure, readProblem } from './read-problem.ts'

/** Models that people run there, of which those that draw are served. */
export const replicate = defineProvider({
  type: 56,
  id: 'replicate',
  name: 'Replicate',
  baseUrl: 'https://api.replicate.com',
  models: [
    'black-forest-labs/flux-1.1-pro',
    'black-forest-labs/flux-1.1-pro-ultra',
    'black-forest-labs/flux-dev',
    'black-forest-labs/flux-schnell',
    'google/imagen-4',
    'bytedance/seedream-4',
  ],
  credential: bearer(),
  images: {
    form: 'openai',
    path: addressOf,
    // Without it every picture would have to be asked for again.
    headers: () => ({ prefer: 'wait' }),
    convert: pictureConversion,
    readProblem,
  },
  readFailure,
  modelList: {
    path: '/v1/collections/text-to-image',
    read: ({ models }) =>
      Array.isArray(models)
        ? asArray(models).flatMap(model => {
            const { owner, name } = asObject(model) ?? {}
            return asText(owner) && asText(name) ? `${owner}/${name}` : []
          })
        : undefined,
  },
})
