import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const setupEndpoints = {
  setupState: endpoint({
    method: 'GET',
    path: '/api/setup',
    access: 'public',
    summary: { zh: '是否需要初始化', en: 'Whether set-up is still to be done' },
    output: z.object({ needed: z.boolean() }),
  }),
  setup: endpoint({
    method: 'POST',
    path: '/api/setup',
    access: 'public',
    rate: 'critical',
    bodyLimit: 8 * 1024,
    summary: {
      zh: '用启动日志中的一次性令牌创建超级管理员',
      en: 'Create the super administrator with the one-time token from the start-up log',
    },
    body: z.object({
      token: z.string().check(z.maxLength(200)),
      username: z.string().check(z.maxLength(200)),
      password: z.string().check(z.maxLength(200)),
    }),
  }),
}
