import * as z from 'zod/mini'
import { lineText } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { pageOf, pageQuery } from './paging.ts'

const filter = z._default(lineText(128), '')
const values = z.nullable(z.record(z.string(), z.unknown()))

const auditRecord = z.object({
  id: z.int(),
  created_at: z.int(),
  user_id: z.int(),
  username: z.string(),
  address: z.string(),
  action: z.string(),
  subject: z.string(),
  before: values,
  after: values,
  previous_hash: z.string(),
  hash: z.string(),
})

export const auditEndpoints = {
  auditRecords: endpoint({
    method: 'GET',
    path: '/api/audit',
    access: 'root',
    summary: {
      zh: '管理操作记录，最新在前；user 为用户名或 ID',
      en: 'The record of management changes, newest first; `user` is a name or an id',
    },
    query: z.object({ ...pageQuery, action: filter, subject: filter, user: filter }),
    output: pageOf(auditRecord),
  }),
  verifyAudit: endpoint({
    method: 'GET',
    path: '/api/audit/verify',
    access: 'root',
    summary: {
      zh: '核对管理操作记录是否完整、未被改动',
      en: 'Prove that the record of management changes is whole and unaltered',
    },
    output: z.object({ intact: z.boolean(), records: z.int(), broken_at: z.nullable(z.int()) }),
  }),
}
