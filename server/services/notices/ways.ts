import { createHmac } from 'node:crypto'
import type { Message } from './deliver.ts'
import { type Format, faultIn, formatOf, type Notice, textOf, writeText } from './formats.ts'

/** Where a user wants to be told, and what that takes. */
export type Way =
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string }
  | { readonly kind: 'bark'; readonly url: string }
  | { readonly kind: 'gotify'; readonly url: string; readonly token: string; readonly priority: number }

const json = { 'content-type': 'application/json' }

export function messageTo(way: Way, notice: Notice): Message {
  if (way.kind === 'webhook') {
    const message = hookMessage(way.url, formatOf(way.url), notice)
    if (way.secret === '') return message
    return { ...message, headers: { ...json, 'x-webhook-signature': sign(way.secret, message.body ?? '') } }
  }
  if (way.kind === 'bark') return { method: 'GET', url: fillTemplate(way.url, notice), headers: {} }
  const { token, priority } = way
  const url = new URL(way.url)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/message`
  return {
    method: 'POST',
    url: url.href,
    headers: { ...json, 'x-gotify-key': token },
    body: JSON.stringify({ title: notice.title, message: notice.content, priority }),
  }
}

export function hookMessage(url: string, format: Format, notice: Notice): Message {
  if (format !== 'json') return chatMessage(url, format, textOf(notice))
  return { method: 'POST', url, headers: json, body: JSON.stringify(notice) }
}

export function chatMessage(url: string, format: Exclude<Format, 'json'>, text: string): Message {
  const message = { method: 'POST', url, headers: json, body: writeText(format, text) } as const
  return format === 'slack' ? message : { ...message, faultIn }
}

/** Of the bytes that are sent, so that whoever gets them can tell whom they are from. */
export function sign(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

export const barkPlaces = /\{\{(title|content)\}\}/g

function fillTemplate(template: string, notice: Notice): string {
  return template.replace(barkPlaces, (_, name: 'title' | 'content') =>
    encodeURIComponent(notice[name].toWellFormed()),
  )
}
