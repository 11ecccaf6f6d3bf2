import type { Database } from 'bun:sqlite'
import type { Random } from '../../faults/random.ts'
import { fillTable } from './fill-table.ts'
import { DAY, type Person } from './people.ts'

const UNIT = 500_000
const batches = ['春节活动', '新用户 $1', '渠道返现', 'Product Hunt', '线下沙龙', '客服补偿']

export function printCodes(database: Database, random: Random, now: number, people: readonly Person[]): void {
  const rows = Array.from({ length: 30 }, (_, at) => {
    const status = [1, 3, 1, 1, 3, 2][random(0, 5)] ?? 1
    const created_time = now - (30 - at) * 3 * DAY - random(0, DAY)
    const used = status === 3
    const batch = batches[Math.floor(at / 5)] ?? ''
    return {
      user_id: 1,
      key: hex(random, 32),
      status,
      name: batch,
      quota: [UNIT, 5 * UNIT, 10 * UNIT, 50 * UNIT][random(0, 3)] ?? UNIT,
      created_time,
      redeemed_time: used ? created_time + random(HOUR, 2 * DAY) : 0,
      used_user_id: used ? (people[random(1, people.length - 1)]?.id ?? 0) : 0,
      expired_time: batch === '线下沙龙' ? created_time + 20 * DAY : 0,
      deleted_at: null,
    }
  })
  fillTable(database, 'redemptions', rows)
}

const HOUR = 3600

export function placeOrders(
  database: Database,
  random: Random,
  now: number,
  people: readonly Person[],
): void {
  const rows = Array.from({ length: 24 }, (_, at) => {
    const paid = random(0, 3) > 0
    const amount = [5, 10, 20, 50, 100][random(0, 4)] ?? 10
    const create_time = now - (24 - at) * DAY - random(0, DAY)
    const person = random(0, 1) === 0 ? people[0] : people[random(1, 10)]
    const isCard = at % 3 === 0
    const method = random(0, 1) === 0 ? 'alipay' : 'wxpay'
    return {
      user_id: person?.id ?? 1,
      amount,
      quota: amount * UNIT,
      money: amount * (isCard ? 110 : 730),
      currency: isCard ? 'usd' : '',
      trade_no: `USR${person?.id ?? 1}NO${hex(random, 6)}${create_time}`,
      payment_method: isCard ? 'stripe' : method,
      status: paid ? 'success' : isCard ? 'expired' : 'pending',
      create_time,
      complete_time: paid ? create_time + random(20, 240) : 0,
    }
  })
  fillTable(database, 'top_ups', rows)
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => random(0, 15).toString(16)).join('')
}
