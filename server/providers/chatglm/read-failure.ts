import { asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import { wordsOr } from '../../dialects/own-words.ts'
import type { Problem } from '../../dialects/spec.ts'
import { readFailure as readAnyFailure } from '../kit/answers/read-failure.ts'
import { statusByCode } from '../kit/answers/status-by-code.ts'

const statuses = new Map([
  ...each(401, ['1000', '1001', '1002', '1003', '1004', '1110', '1111', '1112', '1121']),
  ...each(402, ['1113', '1309']),
  ...each(403, ['1220', '1300', '1311']),
  ...each(404, ['1211', '1221', '1222']),
  ...each(400, ['1210', '1212', '1213', '1214', '1215', '1261', '1301']),
  ...each(429, ['1302', '1303', '1304', '1305', '1308', '1310', '1312', '1313']),
  ...each(503, ['1120']),
])

/** Its errors come with status 200 and a number of their own; those of the newer API look as OpenAI's. */
export function readFailure(body: JsonObject): Problem | undefined {
  const problem = readAnyFailure(body)
  const status = statuses.get(problem?.code ?? '')
  return problem && status ? { ...problem, status } : problem
}

/** The same of the newer API, where they come with a status of their own that says less: 400 for a model it does not have. */
export const readProblem = statusByCode(statuses)

/** What an event `error` says: a body as above, or words. */
export function readErrorEvent(data: string): Problem {
  const body = parseObject(data)
  const known = body && readFailure(body)
  return known ?? { status: 502, ...wordsOr(asText(body?.msg) || data, 'upstream.unsaid') }
}

function each(status: number, codes: readonly string[]): [code: string, status: number][] {
  return codes.map(code => [code, status])
}
