import { expect, test } from 'bun:test'
import { cost } from '../../ledger/price/cost.ts'
import { inBatch, type PriceSnapshot, usualPrice } from '../../ledger/price/price-snapshot.ts'
import { openaiHost } from '../openai-batches/host.ts'
import { estimateOutput } from './add-up-output.ts'
import type { BatchRow } from './batch-rows.ts'
import { chargeBatch } from './charge-batch.ts'
import type { BatchReport } from './host.ts'

const ratios = {
  ...{ cacheRatio: 0.5, cacheWriteRatio: 1.25, cacheWriteHourRatio: 2 },
  ...{ imageRatio: 1, audioRatio: 1, audioCompletionRatio: 1 },
}
const plain: PriceSnapshot = {
  ...{ kind: 'ratio', model: 'm', group: 'default', groupRatio: 2, modelRatio: 1.5, completionRatio: 4 },
  ...ratios,
}
const dear: PriceSnapshot = {
  ...plain,
  long: { over: 200_000, modelRatio: 3, completionRatio: 3, audioCompletionRatio: 1 },
}
const usual = { input: 900_000, cacheRead: 1000, output: 301, calls: 4 }
const long = { input: 250_000, output: 100, calls: 1 }
const used = { answered: 5, usual, long }
const chargeOne = (price: PriceSnapshot, costRatio: number | undefined) => {
  const [charge, ...others] = chargeBatch([{ price, lines: 5 }], { models: [used], bytes: 0 }, costRatio)
  if (!charge || others.length > 0) throw new Error('one model has one charge')
  return charge
}

test('many short requests are not taken for a long one, and long ones have their own price', () => {
  const price = inBatch(dear, 0.5)
  const charge = chargeOne(price, 0.3)
  const first = cost(usualPrice(price), usual)
  expect(first).toBe(Math.round((900_000 + 500 + 301 * 4) * 1.5))
  const second = (250_000 + 100 * 3) * 3
  expect(charge.quota).toBe(first + second)
  expect([charge.prompt_tokens, charge.completion_tokens]).toEqual([1_151_000, 401])
  expect(charge.details).toMatchObject({ batch_ratio: 0.5, batch_requests: 5, long_input_quota: second })
  // What the operator pays is of the listed price of batches, whatever the group pays.
  expect(charge.cost).toBe(Math.round((first / 2) * 0.3) + Math.round((second / 2) * 0.3))
})

test('where long input has no price of its own, all is one sum', () => {
  const price = inBatch(plain, 0.5)
  const charge = chargeOne(price, undefined)
  expect(charge.quota).toBe(cost(price, { input: 1_150_000, cacheRead: 1000, output: 401 }))
  expect([charge.cost, 'long_input_quota' in charge.details]).toEqual([undefined, false])
})

test('of a batch whose output is lost, what no model can have used is not believed', () => {
  const batch = { endpoint: '/v1/responses', request_id: 'r', input_bound: 4000, line_count: 10 }
  const estimate = (input_tokens: number, output_tokens: number) => {
    const report = { completed: 10, total: 10, usage: { input_tokens, output_tokens } }
    const one = [{ price: plain, lines: 10 }]
    return estimateOutput(openaiHost, batch as BatchRow, report as unknown as BatchReport, one).models[0]
      ?.usual
  }
  expect(estimate(150_000_000, 30_000_000)).toEqual({
    input: 150_000_000,
    output: 30_000_000,
    calls: 10,
  })
  const untold = estimate(0, 0)
  expect(untold?.input).toBeWithin(1, 4000)
  expect(estimate(900_000_000_000_000, 10)).toEqual(untold)
  expect(estimate(10, 900_000_000_000_000)).toEqual(untold)
})

test('of several models each has its own price, and who has not answered comes to nothing', () => {
  const prices = [
    { price: inBatch(plain, 0.5), lines: 5 },
    { price: inBatch({ ...dear, model: 'n' }, 0.5), lines: 5 },
    { price: inBatch({ ...plain, model: 'unanswered' }, 0.5), lines: 1 },
  ]
  const none = { answered: 0, usual: { calls: 0 }, long: { calls: 0 } }
  const charges = chargeBatch(prices, { models: [used, used, none], bytes: 0 }, 0.3)
  expect(charges).toEqual(prices.slice(0, 2).map(({ price }) => chargeOne(price, 0.3)))
  expect(charges.map(({ model_name, details }) => [model_name, details.batch_requests])).toEqual([
    ['m', 5],
    ['n', 5],
  ])
})

test('of a batch of several models whose output is lost, each is paid by its part of the requests', () => {
  const batch = { endpoint: '/v1/messages', request_id: 'r', input_bound: 4000, line_count: 10 } as BatchRow
  const report = { completed: 8, total: 10, usage: undefined } as unknown as BatchReport
  const prices = [7, 3].map(lines => ({ price: plain, lines }))
  const { models } = estimateOutput(openaiHost, batch, report, prices)
  expect(models.map(({ answered }) => answered)).toEqual([6, 2])
})
