import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { searchText } from './paging.ts'
import { queryNumber } from './query-number.ts'

/** What can be asked for; what lies between is taken for the next. */
export const performanceHours = [1, 6, 24, 168, 720] as const

const milliseconds = z.nullable(z.int())

/** The share that was answered in whole hundredths, times in two digits; null where too few calls tell. */
const performance = z.object({
  success: z.number(),
  first_token_p50: milliseconds,
  first_token_p95: milliseconds,
  latency_p50: milliseconds,
  latency_p95: milliseconds,
  /** How many calls there were is told to administrators alone. */
  calls: z.optional(z.int()),
})
export type Performance = z.output<typeof performance>

const hours = { hours: queryNumber }

export const performanceEndpoints = {
  perfMetrics: endpoint({
    method: 'GET',
    path: '/api/perf-metrics',
    access: 'public',
    summary: {
      zh: '各模型最近 1、6、24、168 或 720 小时的成功率、首字时间与总耗时；未启用时为 404',
      en: 'Success rate, time to the first token and whole time of each model over the last 1, 6, 24, 168 or 720 hours; 404 while it is switched off',
    },
    query: z.object({ ...hours, model: searchText }),
    output: z.object({
      hours: z.int(),
      models: z.array(z.extend(performance, { model_name: z.string() })),
    }),
  }),
  perfSummary: endpoint({
    method: 'GET',
    path: '/api/perf-metrics/summary',
    access: 'public',
    summary: { zh: '同上，所有模型合计', en: 'The same of all models together' },
    query: z.object(hours),
    /** Null where too few calls were made, or by too few users. */
    output: z.object({ hours: z.int(), all: z.nullable(performance) }),
  }),
}
