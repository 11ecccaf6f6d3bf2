import type { Endpoint } from '../../../contract/endpoint.ts'

export interface Answered {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** The words and the status that tools of this family know for an upstream that gives no list. */
const FAMILY_FAILURE = 'Failed to fetch models'

interface Verdict {
  readonly refused: boolean
  /** What is wrong with how it was answered, whatever was asked. */
  readonly fault: string | undefined
}

/** Whether an answer is a refusal, and whether it has the form that every answer must have. */
export function judge(endpoint: Endpoint, { status, type, text }: Answered): Verdict {
  const json = type.startsWith('application/json') ? parse(text) : undefined
  if (status >= 500 && json?.message !== FAMILY_FAILURE)
    return { refused: true, fault: `status ${status}: ${text.slice(0, 200)}` }
  if (endpoint.form && text === 'fail') return { refused: true, fault: undefined }
  if (status === 404 && isObject(json?.error)) return { refused: true, fault: undefined }
  // Prices of top-ups are told in a form of their own.
  const isOwnForm = /^\/api\/user\/(stripe\/)?(amount|pay)$/.test(endpoint.path)
  if (isOwnForm && json && json.success === undefined)
    return { refused: json.message === 'error', fault: formFault(json.message, 'data' in json) }
  if (status === 200 && endpoint.shape === 'raw' && json?.success !== false)
    return { refused: false, fault: undefined }
  if (json?.code === true && status === 200) return { refused: false, fault: undefined }
  const fault = formFault(
    json?.message,
    typeof json?.success === 'boolean' && !(json.success && status >= 400),
  )
  return { refused: json?.success !== true, fault: fault && `${fault}: ${status} ${text.slice(0, 200)}` }
}

function formFault(message: unknown, whole: boolean): string | undefined {
  return typeof message === 'string' && whole ? undefined : 'not the envelope'
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
