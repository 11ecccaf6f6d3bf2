import { asNumber, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { wordsOr } from '../../dialects/own-words.ts'
import type { Problem } from '../../dialects/spec.ts'
import { readFailure as readAnyFailure } from '../kit/answers/read-failure.ts'

const UNKNOWN_FAILURE = 502
const AUTH = 'AuthFailure'
const CLOCK = 'AuthFailure.SignatureExpire'

/** By the beginning of a code; the first that fits counts. */
const statuses: readonly (readonly [start: string, status: number])[] = [
  [AUTH, 401],
  ['UnauthorizedOperation', 403],
  ['FailedOperation.EngineServerLimitExceeded', 429],
  ['FailedOperation.EngineRequestTimeout', 504],
  ['FailedOperation.FreeResourcePackExhausted', 402],
  ['FailedOperation.ResourcePackExhausted', 402],
  ['FailedOperation.Service', 402],
  ['FailedOperation', 500],
  ['InternalError', 500],
  ['LimitExceeded', 429],
  ['RequestLimitExceeded', 429],
  ['RequestSizeLimitExceeded', 413],
  ['ResourceNotFound', 404],
  ['Resource', 503],
  ['InvalidParameterValue.Model', 404],
  ['InvalidParameter', 400],
  ['MissingParameter', 400],
  ['UnknownParameter', 400],
  ['UnsupportedOperation', 400],
  ['OperationDenied', 400],
  ['InvalidAction', 404],
  ['NoSuch', 404],
]

/** The old platform sends its errors with status 200, and those in a stream in words of their own. */
export function readFailure(body: JsonObject): Problem | undefined {
  // A piece of a stream, mostly: then nothing else has to be looked for.
  if (body.Choices !== undefined && body.ErrorMsg === undefined && body.Error === undefined) return undefined
  const response = asObject(body.Response) ?? body
  const error = asObject(response.Error)
  if (error) return readError(error)
  const inStream = asObject(response.ErrorMsg)
  if (inStream && (inStream.Msg || inStream.Code)) return readErrorMsg(inStream)
  return response.Choices === undefined ? readAnyFailure(body) : undefined
}

function readError({ Code, Message }: JsonObject): Problem {
  const code = asText(Code) ?? ''
  const words = wordsOr(asText(Message) || code, 'upstream.unsaid')
  // A clock that is wrong says nothing of the key.
  if (code === CLOCK) return { status: UNKNOWN_FAILURE, ...words, code: code.slice(AUTH.length + 1) }
  const known = statuses.find(([start]) => code.startsWith(start))
  return { status: known?.[1] ?? UNKNOWN_FAILURE, ...words, code }
}

function readErrorMsg({ Msg, Code }: JsonObject): Problem {
  const code = asNumber(Code)
  return {
    status: UNKNOWN_FAILURE,
    ...wordsOr(asText(Msg), 'upstream.unsaid'),
    ...(code !== undefined && { code: String(code) }),
  }
}
