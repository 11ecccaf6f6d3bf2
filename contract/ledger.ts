import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const closedMonth = z.object({
  /** `2026-01`, in UTC. */
  month: z.string(),
  /** `closing` while it goes on, `closed` for good. */
  state: z.string(),
  started_at: z.int(),
  /** 0 while it goes on. */
  closed_at: z.int(),
  /** Calls that were folded, and what they came to. */
  calls: z.int(),
  user_amount: z.int(),
  /** What was written before, in the folder `books` of whichever node did it. */
  files: z.array(z.object({ name: z.string(), calls: z.int(), sha256: z.string() })),
  digest: z.string(),
})

export const ledgerEndpoints = {
  closedMonths: endpoint({
    method: 'GET',
    path: '/api/ledger/months',
    access: 'root',
    summary: {
      zh: '已结账的月份，最近的在前',
      en: 'The months whose calls stand in the books as sums, the last first',
    },
    output: z.array(closedMonth),
  }),
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
