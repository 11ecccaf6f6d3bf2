import { asArray } from '../../../server/dialects/json.ts'
import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { embed } from '../openai/answer-embeddings.ts'
import { failOpenai } from '../openai/fail.ts'
import { countTokens } from '../reply.ts'
import type { Answer } from '../script.ts'
import { startUpstream } from '../start-upstream.ts'
import { NO_TALLY } from '../tally.ts'
import {
  bearerOnly,
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type UpstreamOptions,
} from '../upstream.ts'
import { editUsage } from '../write-frames.ts'

function failMoka(kind: FailureKind, message = 'The request failed.'): Fixed {
  const { status } = failOpenai(kind)
  return askToWait(kind, { status, body: { error: { message, type: kind, code: String(status) } } })
}

function check({ body }: Call): void {
  const unknown = Object.keys(body).find(name => name !== 'model' && name !== 'input')
  const isGood = Array.isArray(body.input) && body.input.every(one => typeof one === 'string')
  const fault = unknown === undefined ? (isGood ? undefined : 'input is no list') : `unknown field ${unknown}`
  if (fault !== undefined) throw new Refusal(fault, failMoka('bad-request', fault))
}

function answerEmbeddings({ body }: Call, answer: Answer): Rendered {
  const inputs = asArray(body.input).map(String)
  const input = inputs.reduce((sum, one) => sum + countTokens(one), 0)
  const usage = editUsage({ prompt_tokens: input, total_tokens: input }, answer)
  const data = inputs.map((one, index) => ({ object: 'embedding', index, embedding: embed(one, 8) }))
  const said = { object: 'list', data, model: body.model, ...(usage !== undefined && { usage }) }
  return { contentType: 'application/json', body: JSON.stringify(said), tally: { ...NO_TALLY, input } }
}

/** Lists of texts alone, at an address without a version. */
export function startMoka(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startUpstream(
    {
      name: 'Moka',
      key: options.key ?? 'moka-fake0123456789',
      keyHeaders: ['authorization'],
      authorize: bearerOnly(failMoka),
      fail: failMoka,
      routes: [
        {
          ...{ method: 'POST', path: /^\/embeddings$/, takes: 'json' },
          check,
          answer: answerEmbeddings,
        },
      ],
    },
    options,
  )
}
