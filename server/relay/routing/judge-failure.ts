import { ANY_HTTP } from '../../../contract/pass-through.ts'
import type { FailureKind } from './channel-health.ts'
import { codesOf, type Refusal, saysKeyIsUnusable } from './key-signals.ts'
import { refusedFor } from './refused-for.ts'

/** How an attempt failed: with an answer that is an error, or without a usable one. */
export interface AttemptFailure extends Refusal {
  readonly without?: 'connect' | 'timeout' | 'empty' | 'lack' | undefined
}

export interface Verdict {
  /** Whether another channel may be asked instead. */
  readonly retry: boolean
  /** How it counts against the channel's health; undefined when it is not the channel's fault. */
  readonly cool: FailureKind | undefined
  readonly keyUnusable: boolean
  /** For the log and the operator; may repeat the upstream's words. */
  readonly reason: string
}

type Judgement = Pick<Verdict, 'retry' | 'cool'>

const DIFY = 37
const BEDROCK = 33
const MINIMAX = 35

/** Codes that weigh more than the status they came with. */
const judgedByCode: Readonly<Record<number, Readonly<Record<string, Judgement>>>> = {
  [MINIMAX]: {
    '1000': { retry: true, cool: 'server' },
    '1001': { retry: true, cool: 'timeout' },
    '1002': { retry: true, cool: 'rate' },
  },
  [DIFY]: {
    provider_quota_exceeded: { retry: true, cool: 'server' },
    provider_not_initialize: { retry: true, cool: 'server' },
  },
}

/** Pure: what a failed attempt means for this request, for the channel and for its key. */
export function judgeFailure(channelType: number, failure: AttemptFailure): Verdict {
  const reason = describe(failure)
  // Another channel may have a connection that is open already.
  if (failure.without === 'lack') return { retry: true, cool: undefined, keyUnusable: false, reason }
  if (failure.without) return { retry: true, cool: failure.without, keyUnusable: false, reason }
  if (channelType === ANY_HTTP) return { ...judgePassed(failure), keyUnusable: false, reason }
  if (saysKeyIsUnusable(channelType, failure)) return { retry: true, cool: 'auth', keyUnusable: true, reason }
  return {
    ...(judgeCode(channelType, failure) ?? judgeStatus(channelType, failure)),
    keyUnusable: false,
    reason,
  }
}

function judgeCode(channelType: number, failure: AttemptFailure): Judgement | undefined {
  const known = judgedByCode[channelType]
  const code = known && codesOf(failure).find(said => Object.hasOwn(known, said))
  return code === undefined ? undefined : known?.[code]
}

function judgeStatus(channelType: number, failure: AttemptFailure): Judgement {
  const { status } = failure
  switch (status) {
    case 401:
    case 402:
      return { retry: true, cool: 'auth' }
    case 403:
      if (refusedFor(channelType, failure) === 'filtered') return callersFault
      return { retry: true, cool: namesThingsOfOthers(failure) ? undefined : 'auth' }
    case 404:
      return { retry: true, cool: saysModelIsMissing(failure) ? 'server' : undefined }
    case 408:
    case 504:
    case 524:
      return { retry: true, cool: 'timeout' }
    case 409:
    case 501:
      return { retry: true, cool: undefined }
    case 429:
      return { retry: true, cool: 'rate' }
    case 424:
      return channelType === BEDROCK ? { retry: true, cool: 'server' } : callersFault
  }
  return status >= 400 && status < 500 ? callersFault : { retry: true, cool: 'server' }
}

/**
 * Of an API that nobody here knows, and whose paths callers choose: what one of them is refused says nothing of the
 * channel, which its owner's key may serve well elsewhere. Only the test of the channel judges the key.
 */
function judgePassed({ status }: AttemptFailure): Judgement {
  if (status === 429) return { retry: true, cool: 'rate' }
  if (status === 408 || status === 504 || status === 524) return { retry: true, cool: 'timeout' }
  if (status >= 500) return { retry: true, cool: status === 501 ? undefined : 'server' }
  return { retry: status === 401 || status === 402, cool: undefined }
}

const callersFault: Judgement = { retry: false, cool: undefined }

/** A caller that names a file it may not see must not be able to take the channel from the others. */
function namesThingsOfOthers({ message = '' }: AttemptFailure): boolean {
  return /^\s*(You do not have permission to access the|CachedContent not found)/.test(message)
}

const missingModelCodes = new Set(['model_not_found', 'DeploymentNotFound', 'ResourceNotFoundException'])

/** Anthropic, Gemini and Ollama only say it in words: `model: x`, `models/x is not found`, `model 'x' not found`. */
function saysModelIsMissing(failure: AttemptFailure): boolean {
  if (codesOf(failure).some(code => missingModelCodes.has(code))) return true
  return /^\s*(model: \S+\s*$|models\/\S+ is not found|model ["']\S+["'] not found)/.test(
    failure.message ?? '',
  )
}

function describe({ without, status, message, code, type }: AttemptFailure): string {
  const said = [code ?? type, message].filter(Boolean).join(': ')
  return [without ?? `status ${status}`, said].filter(Boolean).join(', ')
}
