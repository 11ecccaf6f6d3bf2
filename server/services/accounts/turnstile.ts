import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { readJson } from '../../outbound/client.ts'
import type { App } from '../app.ts'
import { hasProof, keepProof } from './proofs.ts'

/** One solved captcha serves the few calls of one form: a code is asked for, then the form is sent. */
const GOOD_FOR_SECONDS = 600
const LONGEST_TOKEN = 2048
const WAIT_MS = 10_000
const MOST_BYTES = 64 * 1024

/** Refuses whoever has not solved the captcha; passes everyone while it is switched off. */
export async function checkTurnstile(app: App, token: string | undefined, address: string): Promise<void> {
  if (!app.settings.get('TurnstileCheckEnabled')) return
  if (!token) throw new AppError('turnstile.blank')
  if (token.length > LONGEST_TOKEN) throw new AppError('turnstile.failed')
  // The vendor takes each token once, so what has passed is remembered, for that address alone.
  const solved = { kind: 'captcha', subject: `${address} ${token}` } as const
  if (await hasProof(app, solved)) return
  if (!(await isHuman(app, token, address))) throw new AppError('turnstile.failed')
  await keepProof(app, solved, '', GOOD_FOR_SECONDS)
}

async function isHuman({ settings, outbound }: App, token: string, address: string): Promise<boolean> {
  const body = new URLSearchParams({
    secret: settings.get('TurnstileSecretKey'),
    response: token,
    remoteip: address,
  })
  try {
    const response = await outbound.fetch(settings.get('TurnstileVerifyUrl'), {
      policy: 'operator',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
      timeoutMs: WAIT_MS,
      wholeMs: WAIT_MS,
      maxBytes: MOST_BYTES,
    })
    const answer = await readJson(response, MOST_BYTES)
    return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true
  } catch (error) {
    log.warn('a captcha could not be verified', { error })
    throw new AppError('turnstile.failed', {}, error)
  }
}
