import type { Difference } from './ledger/audit.ts'

interface Words {
  /** Whose or what it is that a check found: who reads it has to know where to look. */
  readonly subject: (subject: string) => string
  /** What else may differ where the amounts are the same. */
  readonly besides?: string
  /** In place of "should be … and is …", where that says nothing. */
  readonly fault?: (found: number) => string
  /** What to do about it: something that mends it, or where to look. */
  readonly advice: string
  /** SQL for one difference, by amounts and not to them: calls may go on meanwhile. */
  readonly mend?: (difference: Difference) => readonly string[]
}

const of =
  (noun: string) =>
  (id: string): string =>
    `${noun} ${id}`
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const time = (seconds: string): string => new Date(Number(seconds) * 1000).toISOString()
const add =
  (table: string, column: string) =>
  ({ subject, expected, found }: Difference): string[] => {
    const by = `${expected < found ? '-' : '+'} ${Math.abs(expected - found)}`
    return [`update ${table} set ${column} = ${column} ${by} where id = ${subject};`]
  }

const LOOK =
  'The lines about the call have its request id: the log (Logs), `holds` (id) and `ledger_entries` (ref), or, once its ' +
  'month is closed, the file of the month in DATA_DIR/books. Put back by hand what was altered or lost, from a backup ' +
  'where you have one'
/** A process that is known and silent is dead, and whatever program runs ends its calls. */
const handToReaper = ({ subject }: Difference): string =>
  `insert into nodes (id, started_at, beat) select node_id, 0, 0 from holds where id = ${quoted(subject)} ` +
  'and node_id not in (select id from nodes);'

const ofPlans =
  'Compare `subscription_periods` of this user with the entries of kinds `allowance` and `allowance-end` in ' +
  '`ledger_entries`, and put back by hand what was altered or lost. What a balance lacks or has too much is then set ' +
  'under Users'
const ofHours = {
  subject: (seconds: string): string => `the hour from ${time(seconds)}`,
  advice:
    'Only statistics are wrong by it, no balance is. One is altered or lost, a row of `logs` or a sum of that hour: put ' +
    'it back by hand, from a backup where you have one. Where the log is cleared beyond that hour (Settings → Operation → ' +
    'Logs), it is compared no more, and the statistics stay as they are',
}

const words: Readonly<Record<string, Words>> = {
  'wallet = entries - open holds': {
    subject: of('user'),
    advice:
      'Where calls or orders of the same user are named too, mend those first. Then somebody has changed the balance ' +
      'beside the program, or entries are lost. The statement below sets the balance to what the entries say; if it ' +
      'should be another, set that under Users afterwards, which makes an entry of it. To set it there alone mends ' +
      'nothing: balance and entries change by the same',
    mend: add('users', 'quota'),
  },
  'token budget = entries - open holds': {
    subject: of('token'),
    advice:
      'As for wallets: where calls with this token are named too, mend those first. The statement below sets its budget ' +
      'to what the entries say; if it should be another, its owner sets that under Tokens afterwards',
    mend: add('tokens', 'remain_quota'),
  },
  'no balance below zero': {
    subject: of('user'),
    advice:
      'If the balance is named by another check too, mend that first. If it is below zero still, set it to 0 under Users: ' +
      'what is missing is your loss',
  },
  'no token budget below zero': {
    subject: of('token'),
    advice:
      'If the budget is named by another check too, mend that first. If it is below zero still, its owner sets it to 0 ' +
      'under Tokens',
  },
  'entries of users and tokens that exist': {
    subject: of('the entry'),
    fault: found => `is of a user or token that is not there, and moved ${found}`,
    advice:
      'The program keeps the rows of those whom it deletes: this row of `users` or `tokens` was deleted beside it, or the ' +
      'entry was altered. Find the entry in `ledger_entries` by its ref, and put the row back by hand, from a backup ' +
      'where you have one',
  },
  'every charge has its request, for the same amount': { subject: of('request'), advice: LOOK },
  'every refund has its charge, and gives back no more': {
    subject: of('request'),
    besides: 'whose it is, or what the token got back',
    advice: LOOK,
  },
  'every settled request has its charge': { subject: of('request'), advice: LOOK },
  'no hold without its process': {
    subject: of('request'),
    fault: found => `holds ${found} for a process that is not known any more`,
    advice:
      'Nobody gives this money back by itself. With the statement below a program that runs ends the call within a ' +
      'minute: what it is known to have used is charged, the rest goes back',
    mend: difference => [handToReaper(difference)],
  },
  'no lasting hold without its job': {
    subject: of('request'),
    fault: found => `holds ${found} for a job that is not there or is over`,
    advice:
      'Nobody gives this money back by itself. With the statements below a program that runs ends the call within a ' +
      'minute: what it is known to have used is charged, the rest goes back. What its vendor has done is then your loss',
    mend: difference => [
      `update holds set node_id = 'lost' where id = ${quoted(difference.subject)} and state = 'open';`,
      handToReaper(difference),
    ],
  },
  'paid orders = entries': {
    subject: of('order'),
    besides: 'whose it is',
    advice:
      'Somebody has changed the order beside the program, in `top_ups`, or its entry is lost. An order that was set to ' +
      '`success` by hand credits nothing: set its status back to `pending`, and it is credited when the gateway tells of ' +
      'it again; what came in another way is given under Users, and the order left as it is. One that has an entry was ' +
      'paid: set its status back to `success`',
  },
  'closed months = their entries': {
    subject: seconds => `the month until ${time(seconds)}`,
    besides: 'what tokens spent',
    advice:
      'Entries of kind `closed`, or the row in `closed_months`, were altered or lost. The file of the month in ' +
      'DATA_DIR/books has every call of it: add up what each user and token spent, and put back by hand what differs',
  },
  'closed months follow one another, unaltered': {
    subject: of('month'),
    fault: () => 'is not as it was signed, or does not follow the one before it',
    advice:
      'A row of `closed_months` was altered, taken out or added. Nobody can sign it again: put it back as it was, from a ' +
      'backup. Balances do not hang on it, if no other check names them',
  },
  'spent within limits = calls': {
    subject: of('limit'),
    advice:
      'Only what may still be spent is wrong by it, no balance is. Where the limit is renewed, it is right again from then ' +
      'on. The statement below puts it right at once',
    mend: add('spend_limits', 'spent'),
  },
  'allowances of plans = entries': { subject: of('user'), advice: ofPlans },
  'what plans took back = entries': { subject: of('user'), advice: ofPlans },
  'no plan took back what was spent': {
    subject: of('plan'),
    advice:
      'The rows of this plan in `subscription_periods` or `subscriptions` were altered. Put them back by hand; what was ' +
      'taken from its user wrongly is given back under Users',
  },
  'a user has one plan that runs': {
    subject: of('user'),
    advice:
      'Rows of `subscriptions` were altered beside the program. End all but one of them under Users → ⋯ → Plans',
  },
  'a plan that runs has one period': {
    subject: of('plan'),
    advice:
      'Rows of `subscriptions` or `subscription_periods` were altered or lost: one that runs has one period with ' +
      '`ended_at` 0, one that is over has none. Put them back by hand, from a backup where you have one',
  },
  'hourly sums = logs': { ...ofHours, besides: 'the number of calls' },
  'hourly sums of labels = logs': { ...ofHours, besides: 'the number of calls, or what they cost you' },
  'hourly costs = logs': { ...ofHours, besides: 'what was charged for calls of which the cost is known' },
}

export function describeDifference({ check, subject, expected, found }: Difference): string {
  const said = words[check]
  const whose = said?.subject(subject) ?? subject
  if (said?.fault) return `${whose} ${said.fault(found)}`
  if (said?.besides && expected === found)
    return `${whose} is ${found}, as it should be, but differs in ${said.besides}`
  return `${whose} should be ${expected} and is ${found}`
}

/** What to do about what a check found; blank where there is nothing known. */
export function adviseOn(check: string): string {
  return words[check]?.advice ?? ''
}

/** SQL that mends one of them; nothing where somebody has to look. */
export function mendBySql(difference: Difference): readonly string[] {
  return words[difference.check]?.mend?.(difference) ?? []
}
