import { AppError } from '../../errors.ts'
import { sign } from '../notices/ways.ts'
import { hand } from './hand.ts'
import type { Parts, Sink } from './sink.ts'

const SECONDS_TO_WAIT = 2

/** A server of the operator's that takes the log as it comes. */
export const webhook: Sink = {
  name: 'webhook',
  mostRows: 500,
  mostBytes: 512 * 1024,
  isOn: settings => settings.get('LogWebhookEnabled'),
  secondsToWait: () => SECONDS_TO_WAIT,
  async send(app, { from, to, lines }, signal) {
    const id = `${app.store.instanceId}-${from}-${to}`
    const head = JSON.stringify({ id, type: 'logs', from, to })
    await post(app, id, `${head.slice(0, -1)},"rows":[${lines.join(',')}]}`, signal)
  },
  async test(app) {
    if (app.settings.get('LogWebhookUrl') === '') throw new AppError('log.webhook-first')
    const id = `${app.store.instanceId}-test`
    await post(app, id, JSON.stringify({ id, type: 'test', from: 0, to: 0, rows: [] }))
  },
}

/** Signed as the webhooks of users are; by its id whoever gets one twice can tell. */
async function post({ settings, outbound }: Parts, id: string, body: string, signal?: AbortSignal) {
  const secret = settings.get('LogWebhookSecret')
  const headers = {
    'content-type': 'application/json',
    'x-webhook-id': id,
    ...(secret !== '' && { 'x-webhook-signature': sign(secret, body) }),
  }
  await hand(outbound, settings.get('LogWebhookUrl'), { method: 'POST', headers, body, signal })
}
