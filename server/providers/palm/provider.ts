import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { headerKey } from '../kit/keys/credentials.ts'
import { encodeSegment } from '../kit/url.ts'
import { palmForm } from './form.ts'
import { wholeBody } from './whole-body.ts'
import { GOOGLE } from './write-request.ts'

/** The name by which the family of tools knows the one model there was. */
const FAMILY_NAME = 'PaLM-2'
const ONLY_MODEL = 'chat-bison-001'

export const palm = defineProvider({
  type: 11,
  id: 'palm',
  name: 'Google PaLM2',
  baseUrl: GOOGLE,
  models: [FAMILY_NAME, ONLY_MODEL],
  credential: headerKey('x-goog-api-key'),
  chat: [
    {
      dialect: palmForm,
      path: ({ model }) =>
        `/v1beta2/models/${encodeSegment(model === FAMILY_NAME ? ONLY_MODEL : model)}:generateMessage`,
      framing: wholeBody,
    },
  ],
  readFailure,
  modelList: 'none',
})
