import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const walletEndpoints = {
  redeem: endpoint({
    method: 'POST',
    path: '/api/user/topup',
    access: 'user',
    bodyLimit: 4 * 1024,
    summary: { zh: '使用兑换码充值，返回增加的额度', en: 'Redeem a code; answers the quota added' },
    body: z.object({ key: z._default(z.string().check(z.trim(), z.maxLength(100)), '') }),
    output: z.int(),
  }),
  transferEarnings: endpoint({
    method: 'POST',
    path: '/api/user/aff_transfer',
    access: 'user',
    shape: 'bare',
    bodyLimit: 4 * 1024,
    summary: { zh: '将邀请收益划转到余额', en: 'Move earnings from invitations into the balance' },
    body: z.object({ quota: z.int() }),
    output: z.object({ success: z.literal(true), message: z.string() }),
  }),
}
