import { closeSync, openSync } from 'node:fs'
import { AppError } from '../errors.ts'
import { counter } from '../metrics.ts'

/** What this process, or its machine, has none left of; whoever was to be reached has no part in it. */
const lackCodes: Readonly<Record<string, 'files' | 'memory' | 'ports'>> = {
  EMFILE: 'files',
  ENFILE: 'files',
  ENOBUFS: 'memory',
  ENOMEM: 'memory',
  EADDRNOTAVAIL: 'ports',
}

const connectCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ConnectionRefused',
  'FailedToOpenSocket',
])
const resolveCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'DNSException'])
const timeoutCodes = new Set(['ETIMEDOUT', 'Timeout', 'ConnectionTimeout'])
const tlsPattern = /CERT|TLS|SSL|UNABLE_TO_|SELF_SIGNED|HOSTNAME_MISMATCH/

const lacks = counter(
  'tollgate_outbound_lacks_total',
  'Outgoing connections that this program could not even try: no files, ports or memory left, or no names resolved.',
)

export function lackOf(of: 'files' | 'memory' | 'ports' | 'names', cause: unknown): AppError {
  lacks.increment({ of })
  return new AppError('outbound.lack', {}, cause)
}

/** Whether the connection was there, and was closed before there was an answer. */
export function wasHungUp(error: unknown): boolean {
  return readCode(error instanceof AppError ? error.cause : error) === 'ECONNRESET'
}

/** The failure in our words, which name no host; what the runtime said is kept as the cause, for the log. */
export function asOutboundError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = readCode(error)
  const lack = lackCodes[code]
  if (lack) return lackOf(lack, error)
  if (connectCodes.has(code)) return new AppError('outbound.connect', {}, error)
  if (resolveCodes.has(code)) return new AppError('outbound.resolve', {}, error)
  if (timeoutCodes.has(code) || readName(error) === 'TimeoutError') {
    return new AppError('outbound.timeout', {}, error)
  }
  if (tlsPattern.test(code)) return new AppError('outbound.tls', {}, error)
  return new AppError('outbound.failed', {}, error)
}

export function readCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/** For failures of which the runtime does not tell the reason: whether this process has no file left to open. */
export function lacksFiles(): boolean {
  try {
    closeSync(openSync('/', 'r'))
    return false
  } catch (error) {
    return lackCodes[readCode(error)] === 'files'
  }
}

function readName(error: unknown): string {
  return error instanceof Error ? error.name : ''
}
