import type { LogContent } from '../../../contract/logs.ts'
import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { findContent } from '../../store/log-contents.ts'
import { outranks } from '../accounts/lock-user.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { Caller } from '../call.ts'
import { madeBy } from '../teams/team-tokens.ts'
import { isInOwnLog, LONGEST_ID } from './trace-request.ts'

interface Reader {
  readonly caller: Caller
  readonly address: string
}

/**
 * What was asked and answered in one call: for whose it is, and for those above them, never unnoticed. Someone
 * else's is answered like one that was not kept.
 */
export async function readContent(app: App, { caller, address }: Reader, id: string): Promise<LogContent> {
  const content = id.length > LONGEST_ID ? undefined : await findContent(app.store, id)
  if (!content) throw new AppError('log.no-content')
  const { userId } = content
  if (madeBy(caller) && !(await isInOwnLog(app, caller, id))) throw new AppError('log.no-content')
  if (userId !== caller.id) {
    if (caller.role < roles.admin) throw new AppError('log.no-content')
    const owner = await app.store.db
      .selectFrom('users')
      .select('role')
      .where('id', '=', userId)
      .executeTakeFirst()
    if (owner && !outranks(caller, owner)) throw new AppError('users.view-rank')
    const after = { user_id: userId }
    const event = { action: 'log.read-content', subject: `request:${id}`, after } as const
    await recordAudit(app, { caller, address }, event)
  }
  return {
    request_id: id,
    created_at: content.createdAt,
    request: textOf(content.request),
    answer: textOf(content.answer),
    words: textOf(content.words),
    request_left_out: content.requestLeftOut,
    answer_left_out: content.answerLeftOut,
    words_left_out: content.wordsLeftOut,
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
