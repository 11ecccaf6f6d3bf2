import { expect, test } from 'bun:test'
import { AppError } from '../errors.ts'
import { asOutboundError } from './describe-failure.ts'

test.each([
  ['ECONNREFUSED', 'outbound.connect'],
  ['ENETUNREACH', 'outbound.connect'],
  ['FailedToOpenSocket', 'outbound.connect'],
  ['ENOTFOUND', 'outbound.resolve'],
  ['ETIMEDOUT', 'outbound.timeout'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'outbound.tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'outbound.tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'outbound.tls'],
  ['CERT_HAS_EXPIRED', 'outbound.tls'],
  ['ECONNRESET', 'outbound.failed'],
  ['EMFILE', 'outbound.lack'],
  ['ENFILE', 'outbound.lack'],
  ['ENOBUFS', 'outbound.lack'],
  ['ENOMEM', 'outbound.lack'],
  ['EADDRNOTAVAIL', 'outbound.lack'],
  ['', 'outbound.failed'],
] as const)('%s is %s', (code, expected) => {
  const raw = Object.assign(new Error('fetching "https://10.0.0.1/?key=sk-1"'), { code })
  const error = asOutboundError(raw)
  expect(error.code).toBe(expected)
  expect(error.message).not.toMatch(/10\.0|sk-1/)
  expect(error.cause).toBe(raw)
})

test('ours stay ours, and what is no error is still a failure', () => {
  const ours = new AppError('outbound.port')
  expect(asOutboundError(ours)).toBe(ours)
  expect(asOutboundError('odd').code).toBe('outbound.failed')
})
