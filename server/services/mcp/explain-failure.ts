import { AppError } from '../../errors.ts'

/** Addresses that are there and have nothing of the protocol. */
const missing: ReadonlySet<unknown> = new Set([404, 405, 410])
const denied: ReadonlySet<unknown> = new Set([401, 403, 407])

const explained: Readonly<Record<string, 'mcp.unresolved' | 'mcp.unconnected' | 'mcp.untrusted'>> = {
  'outbound.resolve': 'mcp.unresolved',
  'outbound.connect': 'mcp.unconnected',
  'outbound.tls': 'mcp.untrusted',
}

/**
 * Why a server could not be asked, as far as it is known, for those who look after it. Callers hear only that it is away:
 * what stands where in the operator's network is none of theirs.
 */
export function explainFailure(error: AppError): AppError {
  const { code, params, cause } = error
  if (code === 'mcp.refused' && denied.has(params.status)) return new AppError('mcp.denied', params, error)
  if (code === 'mcp.refused' && missing.has(params.status)) return new AppError('mcp.missing', params, error)
  if (code === 'mcp.bad-answer') return new AppError('mcp.other-protocol', {}, error)
  if (code !== 'mcp.away' || !(cause instanceof AppError)) return error
  const words = explained[cause.code]
  return words ? new AppError(words, {}, error) : cause
}
