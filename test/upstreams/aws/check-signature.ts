import { createHash, createHmac } from 'node:crypto'
import type { SeenRequest } from '../upstream.ts'
import { refuseAws } from './fail.ts'

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/bedrock\/aws4_request, SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/
const SKEW_MS = 300_000

/** As AWS would: from what arrived, and what it knows of the account. */
export function checkSignature(seen: SeenRequest, accessKey: string, secret: string, region: string): void {
  const [, id, day, where, names = '', signature] = FORM.exec(seen.headers.authorization ?? '') ?? []
  if (id !== accessKey) refuseAws('The security token included in the request is invalid.', 'bad-key')
  if (where !== region) refuseAws(`Credential should be scoped to a valid region: ${where}`, 'bad-key')
  const moment = seen.headers['x-amz-date'] ?? ''
  const at = Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!moment.startsWith(String(day)) || !(Math.abs(Date.now() - at) < SKEW_MS))
    refuseAws('Signature expired', 'bad-key')
  for (const needed of ['host', 'x-amz-date', 'content-type'])
    if (!names.split(';').includes(needed)) refuseAws(`${needed} is not signed`, 'bad-key')
  const path = seen.path.split('/').map(encodeURIComponent).join('/')
  const headers = names.split(';').map(name => `${name}:${seen.headers[name]}\n`)
  const hashed = createHash('sha256').update(seen.bytes).digest('hex')
  const canonical = `${seen.method}\n${path}\n\n${headers.join('')}\n${names}\n${hashed}`
  const scope = `${day}/${region}/bedrock/aws4_request`
  const digest = createHash('sha256').update(canonical).digest('hex')
  let key: Buffer = Buffer.from(`AWS4${secret}`)
  for (const step of scope.split('/')) key = createHmac('sha256', key).update(step).digest()
  const expected = createHmac('sha256', key)
    .update(`AWS4-HMAC-SHA256\n${moment}\n${scope}\n${digest}`)
    .digest('hex')
  if (signature !== expected)
    refuseAws('The request signature we calculated does not match the signature you provided.', 'bad-key')
}
