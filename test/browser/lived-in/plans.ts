import type { Client } from '../../client.ts'

const UNIT = 500_000
const plans = [
  {
    ...{ title: '体验', note: '每人一次', price: UNIT, duration: 7, duration_unit: 'day' },
    ...{ quota: 2 * UNIT, period: 'none', most_each: 1 },
  },
  {
    ...{ title: '月度 20', note: '每天 10 美元，VIP 分组的价格', price: 20 * UNIT },
    ...{ duration: 30, duration_unit: 'day', quota: 10 * UNIT, period: 'day', group: 'vip' },
    ...{ five_hour_quota: 4 * UNIT, week_quota: 50 * UNIT },
  },
  {
    ...{ title: 'Team, a year', price: 900 * UNIT, duration: 12, duration_unit: 'month' },
    ...{ quota: 150 * UNIT, period: 'month', group: 'svip' },
  },
  {
    ...{ title: '老用户周卡', price: 6 * UNIT, duration: 4, duration_unit: 'month' },
    ...{ quota: 3 * UNIT, period: 'week', on_sale: false },
  },
]

/** Plans on sale and off it, one of which somebody has. */
export async function offerPlans(root: Client, user: Client): Promise<void> {
  const ids: number[] = []
  for (const plan of plans) {
    const { json } = await root.post('/api/subscription/admin/plans', plan)
    if (!json?.success) throw new Error(`a plan was refused: ${JSON.stringify(json)}`)
    ids.push(json.data.id)
  }
  await root.post('/api/subscription/admin/bind', { user_id: user.userId, plan_id: ids[1] })
}
