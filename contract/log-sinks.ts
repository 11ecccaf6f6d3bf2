import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The places outside to which the log can be delivered. */
export const logSinks = ['s3', 'webhook'] as const
export type LogSink = (typeof logSinks)[number]

const sink = z.enum(logSinks)

const sinkState = z.object({
  sink,
  enabled: z.boolean(),
  /** The number of the last row that has arrived, and when it did; 0 before the first. */
  delivered_to: z.int(),
  delivered_at: z.int(),
  /** How many numbers of the log come after that. */
  behind: z.int(),
  /** Why it failed last and since when it fails, and when it is tried again; blank and 0 while all is well. */
  problem: z.string(),
  failing_since: z.int(),
  retry_at: z.int(),
})
export type LogSinkState = z.output<typeof sinkState>

export const logSinkEndpoints = {
  listLogSinks: endpoint({
    method: 'GET',
    path: '/api/log/sinks',
    access: 'root',
    summary: {
      zh: '日志投递的进度：已送达的最后一条、落后条数与最近的失败原因',
      en: 'How far the log has been delivered to each place, how much is behind, and why it fails if it does',
    },
    output: z.array(sinkState),
  }),
  testLogSink: endpoint({
    method: 'POST',
    path: '/api/log/sinks/test',
    access: 'root',
    rate: 'critical',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '按已保存的设置向投递目标写入一次测试内容；失败时返回原因，成功时不再等待而立即重试投递',
      en: 'Send something to one place with the settings as saved; where it fails, tells why, and where it works, delivery that waits to try again does so at once',
    },
    body: z.object({ sink }),
  }),
}
