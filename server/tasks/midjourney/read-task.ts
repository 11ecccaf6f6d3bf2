import { asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { TaskReport } from '../define.ts'

const outcomes: Readonly<Record<string, TaskReport['outcome']>> = {
  SUCCESS: 'done',
  FAILURE: 'failed',
  CANCEL: 'failed',
}
const LONGEST = 100_000

/** Most proxies name their tasks in text, some in numbers. */
export function readId(value: Json | undefined): string | undefined {
  return typeof value === 'number' ? String(value) : asText(value)
}

/** A drawing as its proxy tells of it; undefined when this is none. */
export function readTask(upstream: Upstream, value: unknown): TaskReport | undefined {
  const task = asObject(value)
  const said = asText(task?.status)
  if (!task || said === undefined) return undefined
  const outcome = (Object.hasOwn(outcomes, said) ? outcomes[said] : undefined) ?? 'running'
  const reason = upstream.clean(asText(task.failReason) ?? '')
  return {
    outcome,
    // The records know no other word for it.
    status: outcome === 'failed' ? 'FAILURE' : said,
    progress: outcome === 'running' ? readProgress(task.progress) : '100%',
    failReason: reason || (said === 'CANCEL' ? 'CANCEL' : ''),
    startedAt: readTime(task.startTime),
    finishedAt: outcome === 'running' ? 0 : readTime(task.finishTime),
    drawing: readDrawing(task),
  }
}

function readDrawing(task: JsonObject): NonNullable<TaskReport['drawing']> {
  const [image, promptEn, description] = [task.imageUrl, task.promptEn, task.description].map(asText)
  const videos = { videoUrl: asText(task.videoUrl), videoUrls: task.videoUrls }
  const hasVideo = Boolean(videos.videoUrl) || Array.isArray(videos.videoUrls)
  const properties = asObject(task.properties)
  return {
    ...(image !== undefined && { image_url: image.slice(0, LONGEST) }),
    ...(promptEn !== undefined && { prompt_en: promptEn.slice(0, LONGEST) }),
    ...(description !== undefined && { description: description.slice(0, LONGEST) }),
    ...(Array.isArray(task.buttons) && { buttons: asJson(task.buttons) }),
    ...((properties || hasVideo) && { properties: asJson({ ...kept(properties), ...videos }) }),
  }
}

/** The same of what a submission is answered with, where clients look for more than that. */
export function hideAccount(properties: Json | undefined): JsonObject | null {
  const known = asObject(properties)
  if (!known) return null
  return Object.fromEntries(Object.entries(known).filter(([name]) => !/^(discord|notifyHook)/.test(name)))
}

/** Addresses and accounts of the upstream are nobody's business. */
function kept(properties: JsonObject | undefined): JsonObject {
  const { finalPrompt, finalZhPrompt } = properties ?? {}
  return { finalPrompt, finalZhPrompt }
}

function asJson(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > LONGEST ? '' : text
}

function readProgress(value: Json | undefined): string {
  const text = typeof value === 'number' ? `${value}%` : (asText(value) ?? '')
  return /^\d{1,3}%$/.test(text) ? text : '0%'
}

function readTime(value: Json | undefined): number {
  const time = asNumber(value) ?? 0
  return Number.isSafeInteger(time) && time > 0 ? time : 0
}
