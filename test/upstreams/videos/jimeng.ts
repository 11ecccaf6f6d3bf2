import { createHash, createHmac } from 'node:crypto'
import { type Asked, Wrong } from '../../tasks/fake-server.ts'
import {
  checkFields,
  type FakeVideoVendor,
  isText,
  isWhole,
  type MadeVideo,
  oneOf,
  type Place,
  startVideoPlace,
} from './video-place.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const isList = (pattern: RegExp) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every(one => pattern.test(String(one)))

/** Jimeng: both its calls are POST, told apart by the query, and each is signed with what is in it. */
export function startJimeng(key = 'AKLTjimeng00112233445566|SKjimeng9988776655443322=='): FakeVideoVendor {
  const [access = '', secret = ''] = key.split('|')
  return startVideoPlace({
    key,
    newId: count => String(7_392_616_336_519_610_000n + BigInt(count)),
    answer(asked, place) {
      checkSignature(asked, access, secret)
      if (asked.method !== 'POST' || asked.path !== '/' || asked.query.get('Version') !== '2022-08-31')
        throw gateway(404, 'InvalidActionOrVersion', 'Could not find operation')
      const action = asked.query.get('Action')
      if (action === 'CVSync2AsyncSubmitTask') return create(asked, place)
      if (action !== 'CVSync2AsyncGetResult') throw gateway(404, 'InvalidActionOrVersion', String(action))
      checkFields(asked.json, { req_key: isText, task_id: isText }, text => wrong(400, 50400, text))
      const video = place.videos.get(String(asked.json.task_id))
      if (!video || video.asked.req_key !== asked.json.req_key) return good({ status: 'not_found' })
      return show(video, place)
    },
  })
}

function checkSignature(asked: Asked, access: string, secret: string): void {
  const given = asked.headers.get('authorization') ?? ''
  const [, who, day, scope, names, proof] =
    /^HMAC-SHA256 Credential=(\w+)\/(\d{8})\/(cn-north-1\/cv\/request), SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      given,
    ) ?? []
  if (who !== access || !day || !names) throw gateway(401, 'InvalidAuthorization', 'no signature')
  for (const name of ['host', 'x-date', 'x-content-sha256', 'content-type'])
    if (!names.split(';').includes(name)) throw gateway(401, 'InvalidAuthorization', `${name} is not signed`)
  const date = asked.headers.get('x-date') ?? ''
  const digest = asked.headers.get('x-content-sha256')
  if (!/^\d{8}T\d{6}Z$/.test(date) || !date.startsWith(day) || digest !== hash(asked.text))
    throw gateway(401, 'SignatureDoesNotMatch', 'the body or the date is not what was signed')
  asked.query.sort()
  const headers = names
    .split(';')
    .map(name => `${name}:${asked.headers.get(name)}\n`)
    .join('')
  const canonical = `POST\n${asked.path}\n${asked.query}\n${headers}\n${names}\n${digest}`
  const signing = [day, 'cn-north-1', 'cv', 'request'].reduce<string | Buffer>(hmac, secret)
  const expected = hmac(signing, `HMAC-SHA256\n${date}\n${day}/${scope}\n${hash(canonical)}`).toString('hex')
  if (expected !== proof) throw gateway(401, 'SignatureDoesNotMatch', 'The signature does not match')
}

function create(asked: Asked, place: Place): Response {
  const refuse = (text: string): Wrong => wrong(400, 50413, text)
  const isOlder = /_l20$/.test(String(asked.json.req_key))
  const hasPicture = asked.json.image_urls !== undefined || asked.json.binary_data_base64 !== undefined
  checkFields(
    asked.json,
    {
      req_key: value => /^jimeng_/.test(String(value)),
      prompt: isText,
      image_urls: isList(/^https?:/),
      binary_data_base64: isList(/^[A-Za-z0-9+/]+=*$/),
      seed: isWhole,
      ...(!isOlder && { frames: oneOf(121, 241) }),
      ...(!hasPicture && { aspect_ratio: oneOf('16:9', '4:3', '1:1', '3:4', '9:16', '21:9') }),
    },
    refuse,
  )
  return good({ task_id: place.add(asked.json).id })
}

function show(video: MadeVideo, place: Place): Response {
  if (video.stage === 'failed')
    return Response.json(answer(50511, video.reason, { status: 'done' }), { status: 400 })
  const words = { waiting: 'in_queue', working: 'generating', done: 'done' } as const
  const isDone = video.stage === 'done'
  return good({ status: words[video.stage], ...(isDone && { video_url: place.fileOf(video) }) })
}

function answer(code: number, message: string, data: object | null): object {
  return {
    code,
    data,
    message,
    request_id: '20240720103939AF0029',
    status: code,
    time_elapsed: '104.852309ms',
  }
}

function good(data: object): Response {
  return Response.json(answer(10000, 'Success', data))
}

function wrong(status: number, code: number, message: string): Wrong {
  return new Wrong(status, answer(code, message, null), message)
}

function gateway(status: number, Code: string, Message: string): Wrong {
  const about = { RequestId: '2024072', Action: '', Version: '', Service: 'cv', Region: 'cn-north-1' }
  const failure = { CodeN: 100010, Code, Message }
  return new Wrong(status, { ResponseMetadata: { ...about, Error: failure } }, Message)
}
