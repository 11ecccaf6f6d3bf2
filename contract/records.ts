import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { listOf, pageQuery, searchText } from './paging.ts'
import { queryNumber } from './query-number.ts'

/** A drawing; its times are in milliseconds. `channel_id` is 0 for those who are not administrators. */
const drawing = z.object({
  id: z.int(),
  code: z.int(),
  user_id: z.int(),
  action: z.string(),
  mj_id: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  submit_time: z.int(),
  start_time: z.int(),
  finish_time: z.int(),
  image_url: z.string(),
  status: z.string(),
  progress: z.string(),
  fail_reason: z.string(),
  channel_id: z.int(),
  quota: z.int(),
  buttons: z.string(),
  properties: z.string(),
})
export type DrawingView = z.output<typeof drawing>

/** Music and other tasks; times in seconds. `properties` and `data` are JSON. */
const task = z.object({
  id: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
  task_id: z.string(),
  platform: z.string(),
  user_id: z.int(),
  channel_id: z.int(),
  quota: z.int(),
  action: z.string(),
  status: z.string(),
  fail_reason: z.string(),
  submit_time: z.int(),
  start_time: z.int(),
  finish_time: z.int(),
  progress: z.string(),
  properties: z.unknown(),
  data: z.unknown(),
})
export type TaskView = z.output<typeof task>

const window = { channel_id: queryNumber, start_timestamp: queryNumber, end_timestamp: queryNumber }

/** Times in milliseconds. */
const drawingQuery = z.object({ ...pageQuery, ...window, mj_id: searchText })
export type DrawingQuery = z.output<typeof drawingQuery>

/** Times in seconds. */
const taskQuery = z.object({
  ...pageQuery,
  ...window,
  task_id: searchText,
  platform: searchText,
  status: searchText,
  action: searchText,
})
export type TaskQuery = z.output<typeof taskQuery>

export const recordEndpoints = {
  listDrawings: endpoint({
    method: 'GET',
    path: '/api/mj',
    access: 'admin',
    summary: { zh: '所有用户的绘图记录', en: 'Drawings of all users' },
    query: drawingQuery,
    output: listOf(drawing),
  }),
  listOwnDrawings: endpoint({
    method: 'GET',
    path: '/api/mj/self',
    access: 'user',
    team: 'owners',
    summary: { zh: '自己的绘图记录', en: 'Your drawings' },
    query: drawingQuery,
    output: listOf(drawing),
  }),
  listTasks: endpoint({
    method: 'GET',
    path: '/api/task',
    access: 'admin',
    summary: { zh: '所有用户的异步任务', en: 'Tasks of all users' },
    query: taskQuery,
    output: listOf(task),
  }),
  listOwnTasks: endpoint({
    method: 'GET',
    path: '/api/task/self',
    access: 'user',
    team: 'owners',
    summary: { zh: '自己的异步任务', en: 'Your tasks' },
    query: taskQuery,
    output: listOf(task),
  }),
}
