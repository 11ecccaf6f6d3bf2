import type { ErrorCode } from '../../../contract/errors.ts'
import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import { readEmail } from '../accounts/email-address.ts'
import { allowMail } from '../accounts/email-codes.ts'
import type { App } from '../app.ts'
import type { CallOf } from '../call.ts'
import { testLetter } from './letters.ts'
import { sendMail } from './send-mail.ts'

/** With the settings as they are saved. Whoever sets mail up is told why it does not work; users never are. */
export async function sendTestMail(app: App, call: CallOf<Endpoints['testMail']>): Promise<void> {
  const to = readEmail(call.body.to)
  await allowMail(app, to)
  try {
    await sendMail(app.settings, { to, ...testLetter(app.settings.get('SystemName'), call.language) })
  } catch (error) {
    throw new AppError(faultOf(error), { detail: detailOf(error) }, error)
  }
}

const LONGEST_DETAIL = 200

function faultOf(error: unknown): ErrorCode {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EAUTH') return 'mail.login'
  return code === 'EENVELOPE' || code === 'EMESSAGE' ? 'mail.refused' : 'mail.unreachable'
}

/** What the server answered; where it never did, the kind of failure and not where it was looked for. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('response' in error && typeof error.response === 'string')
    return error.response.slice(0, LONGEST_DETAIL)
  const kind = /\bE(?:CONN|TIMED|HOST|NET|PIPE|AI_)[A-Z_]*|\bENOTFOUND\b/.exec(error.message)?.[0]
  return kind ?? error.message.slice(0, LONGEST_DETAIL)
}
