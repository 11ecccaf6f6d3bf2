import { log } from '../../log.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import type { App } from '../app.ts'
import { deliver, deliverPatiently, type Message, reasonOf } from './deliver.ts'
import { formatOf, LONGEST_TEXT, type Notice } from './formats.ts'
import { onItsWay } from './on-their-way.ts'
import { chatMessage, hookMessage } from './ways.ts'

type Parts = Pick<App, 'settings' | 'outbound' | 'now'>
type News = Omit<Notice, 'timestamp'>

const MOST_WAITING = 200
/** What has not gone out yet, in this process; while there is a list, somebody works on it. */
const waiting = new WeakMap<Settings, Notice[]>()

/** Tells the operator's webhook, if there is one. Nobody waits for it but a program that ends. */
export function tellOperator(app: Parts, news: News): void {
  if (app.settings.get('OpsWebhookUrl') === '') return
  const notice = { ...news, timestamp: app.now() }
  const list = waiting.get(app.settings)
  if (list === undefined) {
    waiting.set(app.settings, [notice])
    onItsWay(sendAll(app)).catch(error => log.error('news for the operator broke off', { error }))
  } else if (list.length < MOST_WAITING) list.push(notice)
  else log.warn('the webhook for operations is too slow; news was dropped', { type: news.type })
}

async function sendAll(app: Parts): Promise<void> {
  const list = waiting.get(app.settings) ?? []
  try {
    // Read each time: it may have been changed meanwhile, or taken away.
    for (let url = addressOf(app); url !== '' && list.length > 0; url = addressOf(app))
      await deliverPatiently(app.outbound, 'operator', takeNext(app, url, list)).catch(error =>
        log.warn('the webhook for operations could not be told', { reason: reasonOf(error) }),
      )
  } finally {
    waiting.delete(app.settings)
  }
}

const addressOf = ({ settings }: Parts): string => settings.get('OpsWebhookUrl')

/** Chats allow few messages a minute: what has come together meanwhile goes out as one. */
function takeNext({ settings }: Parts, url: string, list: Notice[]): Message {
  const format = chosenFormat(settings, url)
  const first = list.shift() as Notice
  if (format === 'json') return hookMessage(url, format, first)
  let text = `${settings.get('SystemName')}: ${first.content}`
  for (let next = list[0]; next; next = list[0]) {
    const longer = `${text}\n\n${next.content}`
    if (Buffer.byteLength(longer) > LONGEST_TEXT) break
    text = longer
    list.shift()
  }
  return chatMessage(url, format, text)
}

function chosenFormat(settings: Settings, url: string) {
  const chosen = settings.get('OpsWebhookFormat')
  return chosen === 'auto' ? formatOf(url) : chosen
}

/** At once, and whoever asked is told why it fails. */
export async function tryOperatorHook(app: Parts, news: News): Promise<void> {
  const message = takeNext(app, addressOf(app), [{ ...news, timestamp: app.now() }])
  await deliver(app.outbound, 'operator', message)
}
