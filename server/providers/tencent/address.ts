import type { Destination, Endpoint, Signer } from '../define.ts'
import { readKey } from './read-key.ts'
import { signTc3 } from './sign-tc3.ts'

/** The new platform. */
export const TOKENHUB = 'https://tokenhub.tencentmaas.com'
/** The old. */
const HUNYUAN = 'https://hunyuan.tencentcloudapi.com'
const SERVICE = 'hunyuan'
const VERSION = '2023-09-01'

export function isOld({ key }: Destination): boolean {
  return readKey(key).kind === 'triple'
}

export function isNew(to: Destination): boolean {
  return !isOld(to)
}

/** Whoever set the base URL of one platform with a key of the other means Tencent itself. */
export function newPath(path: string): Endpoint['path'] {
  return ({ baseUrl }) => (baseUrl === HUNYUAN ? TOKENHUB + path : path)
}

/** The old platform has one address for everything; a header says what is asked. */
export function oldAddress(
  action: string,
): Required<Pick<Endpoint, 'serves' | 'path' | 'credential' | 'signer'>> {
  return {
    serves: isOld,
    path: ({ baseUrl }) => (baseUrl === TOKENHUB ? `${HUNYUAN}/` : '/'),
    credential: () => ({}),
    signer: signerOf(action),
  }
}

function signerOf(action: string): Signer {
  return {
    sign({ url, headers, body }, to, { now }) {
      const key = readKey(to.key)
      if (key.kind !== 'triple') return {}
      const at = Math.floor(now() / 1000)
      const contentType = headers['content-type'] ?? ''
      const request = { host: new URL(url).host, contentType, body, action }
      return {
        headers: {
          authorization: signTc3(request, { ...key, service: SERVICE }, at),
          'x-tc-action': action,
          'x-tc-version': VERSION,
          'x-tc-timestamp': String(at),
        },
      }
    },
  }
}
