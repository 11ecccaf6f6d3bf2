import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { refillPeriods } from './tokens.ts'

export const tokenUsageEndpoints = {
  tokenUsage: endpoint({
    method: 'GET',
    path: '/api/usage/token',
    // Whoever has the key may ask: it comes as `Authorization: Bearer sk-…`, and nobody has to log in.
    access: 'public',
    anyPage: true,
    shape: 'bare',
    summary: {
      zh: '查询令牌自身的额度，以 Authorization: Bearer sk-… 提供令牌',
      en: 'What a token has used and has left; the token itself comes as Authorization: Bearer sk-…',
    },
    output: z.object({
      code: z.literal(true),
      message: z.string(),
      data: z.object({
        object: z.literal('token_usage'),
        name: z.string(),
        total_granted: z.int(),
        total_used: z.int(),
        total_available: z.int(),
        unlimited_quota: z.boolean(),
        model_limits: z.record(z.string(), z.boolean()),
        model_limits_enabled: z.boolean(),
        expires_at: z.int(),
        refill_quota: z.int(),
        refill_period: z.enum(refillPeriods),
        refill_at: z.int(),
      }),
    }),
  }),
}
