import { createHash, createHmac } from 'node:crypto'
import type { SeenRequest } from '../upstream.ts'
import { refuseTencent } from './fail.ts'

const FORM =
  /^TC3-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<day>[^/]+)\/hunyuan\/tc3_request, SignedHeaders=(?<names>[a-z;-]+), Signature=(?<given>[0-9a-f]{64})$/
const SKEW_SECONDS = 300

/** Works the signature out anew, from what arrived. */
export function checkSignature(seen: SeenRequest, secretId: string, secretKey: string): void {
  const { id, day = '', names = '', given } = FORM.exec(seen.headers.authorization ?? '')?.groups ?? {}
  if (id !== secretId) refuseTencent('The SecretId is not found', 'account-off')
  const stamp = seen.headers['x-tc-timestamp'] ?? ''
  if (!/^\d+$/.test(stamp) || Math.abs(Number(stamp) - seen.at / 1000) > SKEW_SECONDS)
    refuseTencent('Signature expired', 'bad-key')
  if (new Date(Number(stamp) * 1000).toISOString().slice(0, 10) !== day)
    refuseTencent('the day is another', 'bad-key')
  for (const name of ['content-type', 'host'])
    if (!names.split(';').includes(name)) refuseTencent(`${name} is not signed`, 'bad-key')
  const lines = names.split(';').map(name => {
    const value = seen.headers[name] ?? ''
    return `${name}:${name === 'content-type' ? value : value.toLowerCase()}\n`
  })
  const hash = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
  const canonical = ['POST', '/', '', lines.join(''), names, hash(seen.bytes)].join('\n')
  const toSign = ['TC3-HMAC-SHA256', stamp, `${day}/hunyuan/tc3_request`, hash(canonical)].join('\n')
  let key: string | Buffer = `TC3${secretKey}`
  for (const step of [day, 'hunyuan', 'tc3_request', toSign])
    key = createHmac('sha256', key).update(step).digest()
  if (Buffer.from(key).toString('hex') !== given)
    refuseTencent('The provided credentials could not be validated.', 'bad-key')
}
