import type { ErrorCode } from '../../../contract/errors.ts'
import { asObject, type JsonObject, parseObject } from '../../dialects/json.ts'
import { writeProblem } from '../../dialects/openai-responses/problems.ts'
import type { Problem } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import { asProblem } from '../problems.ts'
import type { Incoming } from '../request/incoming.ts'

/** What the vendor's clients look for on a socket, in the vendor's words. */
const vendorCodes: Partial<Record<ErrorCode, Pick<Problem, 'code' | 'param'>>> = {
  'relay.unknown-response': { code: 'previous_response_not_found', param: 'previous_response_id' },
  'relay.socket-old': { code: 'websocket_connection_limit_reached' },
}

/** Headers of a refusal that clients act upon. */
const told = /^(retry-after|x-ratelimit-|x-should-retry)/

/** An error as a client of this dialect expects it on a socket. */
export interface SocketError {
  readonly status: number
  readonly error: JsonObject
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export function asSocketError(
  error: unknown,
  incoming: Pick<Incoming, 'requestId' | 'language'>,
): SocketError {
  const problem = asProblem(error, incoming)
  const vendor = error instanceof AppError ? vendorCodes[error.code] : undefined
  const said = vendor ? { ...problem, ...vendor, status: 400, type: 'invalid_request_error' } : problem
  return {
    status: said.status,
    error: asObject(writeProblem(said).error) ?? {},
    headers:
      said.retryAfter === undefined ? undefined : { 'retry-after': String(Math.ceil(said.retryAfter)) },
  }
}

/** The same of a call that was refused as any other would have been. */
export async function readRefusal(response: Response): Promise<SocketError> {
  const error = asObject(parseObject(await response.text())?.error) ?? {}
  const headers = [...response.headers].filter(([name]) => told.test(name))
  return {
    status: response.status,
    error,
    headers: headers.length > 0 ? Object.fromEntries(headers) : undefined,
  }
}

/** Some clients look for the headers inside of the error, some beside it. */
export function writeErrorMessage({ status, error, headers }: SocketError, streamId?: string): string {
  return JSON.stringify({
    type: 'error',
    status,
    error: headers ? { ...error, headers } : error,
    headers,
    stream_id: streamId,
  })
}
