import { pricedUnit } from '../../clients/chat-models.ts'

const words = {
  call: { billing: 'perCall', price: 'forOneCall' },
  second: { billing: 'perSecond', price: 'forOneSecond' },
  page: { billing: 'perPage', price: 'forOnePage' },
} as const

/** How a model is sold that has a price for a call. */
export function unitWords(model: string): (typeof words)[keyof typeof words] {
  return words[pricedUnit(model)]
}
