import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const ledgerEndpoints = {
  audit: endpoint({
    method: 'GET',
    path: '/api/ledger/audit',
    access: 'root',
    // What it finds is noted, for every worker to tell.
    changes: true,
    summary: {
      zh: '核对账目：余额与流水、预扣、日志汇总是否一致',
      en: 'Prove the books: balances against entries, holds, logs and hourly sums',
    },
    output: z.object({
      checks: z.array(z.object({ name: z.string(), differences: z.int() })),
      differences: z.array(
        z.object({ check: z.string(), subject: z.string(), expected: z.number(), found: z.number() }),
      ),
    }),
  }),
}
