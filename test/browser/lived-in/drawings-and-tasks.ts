import type { Database } from 'bun:sqlite'
import type { Random } from '../../faults/random.ts'
import type { LivingChannel } from './channels.ts'
import { fillTable } from './fill-table.ts'
import { DAY, type Person } from './people.ts'

const prompts = [
  'a lighthouse above a sea of clouds, golden hour, 35mm --ar 16:9 --v 6.1',
  '水墨风格的江南小镇，细雨，石桥 --ar 3:4',
  'isometric illustration of a data center, pastel, clean lines',
  'portrait of an elderly watchmaker, window light, film grain --style raw',
  '赛博朋克风格的城市夜景，霓虹灯，雨夜 --ar 21:9 --stylize 250',
  'minimal logo of a fox, negative space, flat, vector',
  'product shot of a ceramic mug on linen, soft shadows',
]
const actions = [
  'IMAGINE',
  'IMAGINE',
  'UPSCALE',
  'VARIATION',
  'REROLL',
  'ZOOM',
  'DESCRIBE',
  'BLEND',
  'PAN',
  'MODAL',
]
const states = [
  'SUCCESS',
  'SUCCESS',
  'SUCCESS',
  'SUCCESS',
  'FAILURE',
  'IN_PROGRESS',
  'SUBMITTED',
  'NOT_START',
  'MODAL',
]
const reasons = ['Banned prompt detected: blood', '[Rate limited] job queue is full', '任务超时']

interface Makers {
  readonly people: readonly Person[]
  readonly channels: readonly LivingChannel[]
}

export function draw(database: Database, random: Random, now: number, { people, channels }: Makers): void {
  const able = channels.filter(({ type }) => type === 2 || type === 5)
  const rows = Array.from({ length: 48 }, (_, at) => {
    const status = at > 43 ? (states[5 + (at % 3)] ?? '') : (states[random(0, states.length - 1)] ?? '')
    const submitted = (now - Math.floor(((48 - at) * 14 * DAY) / 48) - random(0, 3600)) * 1000
    const ended = status === 'SUCCESS' || status === 'FAILURE'
    return {
      code: [1, 1, 1, 21, 22][random(0, 4)] ?? 1,
      user_id: (random(0, 1) === 0 ? people[0] : people[random(1, 8)])?.id ?? 1,
      action: actions[random(0, actions.length - 1)] ?? '',
      mj_id: `${submitted}${random(100, 999)}`,
      prompt: prompts[random(0, prompts.length - 1)] ?? '',
      prompt_en: prompts[random(0, prompts.length - 1)] ?? '',
      description: '',
      state: '',
      submit_time: submitted,
      start_time: submitted + 1500,
      finish_time: ended ? submitted + random(12, 110) * 1000 : 0,
      image_url: status === 'SUCCESS' ? '/icon-512.png' : '',
      status,
      progress: progressOf(status, random),
      fail_reason: status === 'FAILURE' ? (reasons[random(0, 2)] ?? '') : '',
      channel_id: able[random(0, able.length - 1)]?.id ?? 0,
      quota: 50_000,
      buttons: '[]',
      properties: '{}',
    }
  })
  fillTable(database, 'midjourneys', rows)
}

type Kind = readonly [platform: string, action: string, channelType: number, longest: number]
const suno: Kind = ['suno', 'MUSIC', 36, 180]
const kinds: readonly Kind[] = [
  ['openai-batches', 'BATCH', 1, 80_000],
  suno,
  ['suno', 'LYRICS', 36, 60],
  ['openai-videos', 'VIDEO', 1, 300],
  ['anthropic-batches', 'BATCH', 14, 80_000],
  ['gemini', 'BATCH', 24, 80_000],
  suno,
]

export function compose(database: Database, random: Random, now: number, { people, channels }: Makers): void {
  const rows = Array.from({ length: 32 }, (_, at) => {
    const status = [...states.slice(0, 7), 'QUEUED', 'UNKNOWN', ''][random(0, 9)] ?? ''
    // The screen begins at today's midnight: most are of today.
    const submitted = at < 8 ? now - random(1, 6) * DAY : now - (32 - at) * 300
    const ended = status === 'SUCCESS' || status === 'FAILURE'
    const [platform, action, type, longest] = kinds[at % kinds.length] ?? suno
    return {
      task_id: `${action.toLowerCase()}_${hex(random, 32)}`,
      platform,
      action,
      channel_id: channels.find(channel => channel.type === type)?.id ?? 0,
      user_id: (random(0, 1) === 0 ? people[0] : people[random(1, 8)])?.id ?? 1,
      quota: 100_000,
      status,
      fail_reason: status === 'FAILURE' ? 'moderation_failure: it names a real artist' : '',
      created_at: submitted,
      updated_at: submitted + 60,
      submit_time: submitted,
      start_time: submitted + 4,
      finish_time: ended ? Math.min(now, submitted + random(20, longest)) : 0,
      progress: progressOf(status, random),
      properties: '{}',
      data: '[]',
    }
  })
  fillTable(database, 'tasks', rows)
}

function progressOf(status: string, random: Random): string {
  if (status === 'SUCCESS' || status === 'FAILURE') return '100%'
  return status === 'IN_PROGRESS' ? `${random(8, 92)}%` : '0%'
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => random(0, 15).toString(16)).join('')
}
