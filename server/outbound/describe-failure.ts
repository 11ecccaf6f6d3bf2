import { AppError } from '../errors.ts'

const connectCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ConnectionRefused',
  'FailedToOpenSocket',
])
const resolveCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'DNSException'])
const timeoutCodes = new Set(['ETIMEDOUT', 'Timeout', 'ConnectionTimeout'])
const tlsPattern = /CERT|TLS|SSL|UNABLE_TO_|SELF_SIGNED|HOSTNAME_MISMATCH/

/** The failure in our words, which name no host; what the runtime said is kept as the cause, for the log. */
export function asOutboundError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = readCode(error)
  if (connectCodes.has(code)) return new AppError('outbound.connect', {}, error)
  if (resolveCodes.has(code)) return new AppError('outbound.resolve', {}, error)
  if (timeoutCodes.has(code) || readName(error) === 'TimeoutError') {
    return new AppError('outbound.timeout', {}, error)
  }
  if (tlsPattern.test(code)) return new AppError('outbound.tls', {}, error)
  return new AppError('outbound.failed', {}, error)
}

function readCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

function readName(error: unknown): string {
  return error instanceof Error ? error.name : ''
}
