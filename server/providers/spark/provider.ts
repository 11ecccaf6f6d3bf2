import { type Credential, defineProvider, type Signer } from '../define.ts'
import { jsonSequence } from '../kit/answers/ndjson.ts'
import { openPath, SOCKETS, socketPath, usesSocket } from './address.ts'
import { openForm } from './open-form.ts'
import { readFailure } from './read-failure.ts'
import { readKey } from './read-key.ts'
import { signUrl } from './sign-url.ts'
import { socketForm } from './socket-form.ts'

/** A key and its secret are a password too. */
const password: Credential = given => {
  const key = readKey(given)
  const shown = key.kind === 'triple' ? `${key.apiKey}:${key.apiSecret}` : key.password
  return { authorization: `Bearer ${shown}` }
}

const signer: Signer = {
  sign({ url }, to, { now }) {
    const key = readKey(to.key)
    return key.kind === 'triple' ? { url: signUrl(url, key, now()) } : {}
  },
}

export const spark = defineProvider({
  type: 18,
  id: 'spark',
  name: 'Xunfei Spark',
  baseUrl: SOCKETS,
  models: ['lite', 'generalv3.5', '4.0Ultra', 'spark-x', 'spark-x2.5'],
  credential: password,
  chat: [
    {
      dialect: socketForm,
      serves: usesSocket,
      path: socketPath,
      credential: () => ({}),
      signer,
      framing: jsonSequence,
      socket: true,
      streamsOnly: true,
    },
    { dialect: openForm, serves: to => !usesSocket(to), path: openPath },
  ],
  readFailure,
  modelList: 'none',
})
