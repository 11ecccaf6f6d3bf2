import { asObject } from '../dialects/json.ts'
import type { Balance, Destination, ModelList } from './define.ts'

/** Where a vendor tells of itself. */
export function pathOf({ path }: Pick<Balance, 'path'>, to: Destination): string {
  return typeof path === 'string' ? path : path(to)
}

/** Undefined when the answer is no list. */
export function readModelNames(
  list: Exclude<ModelList, 'none'>,
  answer: unknown,
): readonly string[] | undefined {
  return list.read(asObject(answer) ?? {})
}

/** Undefined when the answer does not say. */
export function readBalance(balance: Balance, answer: unknown, to: Destination): ReturnType<Balance['read']> {
  return balance.read(asObject(answer) ?? {}, to)
}
