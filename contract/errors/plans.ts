import { type ErrorTexts, e } from './define.ts'

export const planErrors = {
  'plan.off-sale': e(200, '该套餐未在售', 'This plan is not on sale'),
  'plan.most': e(
    200,
    '该套餐每人最多购买 {most} 次',
    'Each user can buy this plan at most {most, plural, one {once} other {# times}}',
  ),
  'plan.other-runs': e(
    200,
    '套餐「{title}」尚未到期，到期后才能购买其他套餐',
    'The plan “{title}” is still running; another one can be bought when it has ended',
  ),
  'plan.changed': e(
    200,
    '该套餐的内容已有变动，当前套餐到期后才能再次购买',
    'This plan has been changed since; it can be bought again when the running one has ended',
  ),
  'plan.balance': e(
    200,
    '余额不足（套餐本身的额度不能用于购买套餐）',
    'The balance is too low (a plan’s own quota does not pay for plans)',
  ),
  'plan.period': e(
    200,
    '额度周期不能长于有效期',
    'The period of the quota cannot be longer than the duration',
  ),
  'plan.sold': e(
    200,
    '该套餐已有人购买，不能删除，请改为下架',
    'This plan has been bought and cannot be deleted: take it off sale instead',
  ),
  'plan.ended': e(200, '该套餐已结束', 'This plan has ended already'),
} as const satisfies ErrorTexts
