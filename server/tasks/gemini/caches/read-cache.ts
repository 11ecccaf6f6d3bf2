import { asArray, asObject, asText, type Json, type JsonObject } from '../../../dialects/json.ts'
import { refuseFeature, refuseField } from '../../../dialects/refuse.ts'

const USUAL_SECONDS = 3600
const LEAST_SECONDS = 60
/** All of it is paid in advance. */
const MOST_SECONDS = 7 * 86_400
const LONGEST_TITLE = 128
const LONGEST_MODEL = 200
const known = [
  ...['model', 'contents', 'systemInstruction', 'tools', 'toolConfig'],
  ...['ttl', 'expireTime', 'displayName'],
]

export interface WantedCache {
  readonly model: string
  readonly title: string
  /** Seconds since 1970. */
  readonly until: number
  /** What is to be cached, in the words of a request. */
  readonly content: JsonObject
}

/** What goes into every later prompt, and for how long it is to be there. */
export function readCache(json: JsonObject, now: number): WantedCache {
  for (const name of Object.keys(json))
    if (!known.includes(name)) refuseFeature('feature.named', { name: name.slice(0, 60) })
  const { contents, systemInstruction, tools, toolConfig } = json
  // Searches of a vendor's that later calls make would not be seen in these.
  for (const tool of asArray(tools))
    for (const name of Object.keys(asObject(tool) ?? {}))
      if (name !== 'functionDeclarations')
        refuseFeature('feature.named', { name: `tools.${name.slice(0, 60)}` })
  const content = { contents, systemInstruction, tools, toolConfig }
  if (asArray(contents).length === 0 && systemInstruction === undefined)
    refuseField('contents', 'field.required')
  return {
    model: readModel(json.model),
    title: readTitle(json.displayName),
    until: readUntil(json, now) ?? now + USUAL_SECONDS,
    content,
  }
}

/** Undefined when nothing is said of it. */
export function readUntil({ ttl, expireTime }: JsonObject, now: number): number | undefined {
  if (ttl !== undefined && expireTime !== undefined)
    refuseField('ttl', 'field.twice', { other: 'expireTime' })
  if (ttl === undefined && expireTime === undefined) return undefined
  const seconds = ttl === undefined ? readTime(expireTime) - now : readSeconds(ttl)
  if (!(seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS))
    refuseField(ttl === undefined ? 'expireTime' : 'ttl', 'field.whole-within', {
      least: LEAST_SECONDS,
      most: MOST_SECONDS,
    })
  return now + seconds
}

/** Rounded up: what is stored is paid. */
function readSeconds(ttl: Json): number {
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(asText(ttl) ?? '') ?? []
  if (seconds === undefined) refuseField('ttl', 'field.like', { example: '300s' })
  return Math.ceil(Number(seconds))
}

function readTime(time: Json | undefined): number {
  const ms = Date.parse(asText(time) ?? '')
  if (Number.isNaN(ms)) refuseField('expireTime', 'field.like', { example: '2026-11-18T12:00:00Z' })
  return Math.ceil(ms / 1000)
}

function readModel(value: Json | undefined): string {
  const model = asText(value)?.replace(/^models\//, '') ?? ''
  if (model === '' || model.length > LONGEST_MODEL)
    refuseField('model', 'field.like', { example: 'models/gemini-2.5-flash' })
  return model
}

function readTitle(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string' || value.length > LONGEST_TITLE || value.includes('\0'))
    refuseField('displayName', 'field.most-characters', { most: LONGEST_TITLE })
  return value
}
