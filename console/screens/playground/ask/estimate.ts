import type { PricedModel } from '../../../../contract/pricing.ts'
import { modelFor } from '../../../price-of.ts'
import type { Usage } from '../talk/conversation.ts'
import type { ChatMessage } from './request-body.ts'

const MESSAGE_TOKENS = 4
const PICTURE_TOKENS = 800
/** Of a PDF, about a page of text for so many characters of it as it is sent. */
const PDF_PAGE = 60_000
const PDF_PAGE_TOKENS = 1500

/** About what tokenizers make of a text: four letters to a token, and a little less than one for each Han character. */
export function estimateTokens(text: string): number {
  let wide = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x2e7f) wide++
  return Math.ceil((text.length - wide) / 4 + wide * 0.8)
}

export function estimatePrompt(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => {
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
    const tokens = parts.map(part => {
      if (part.type === 'text') return estimateTokens(part.text)
      if (part.type === 'image_url') return PICTURE_TOKENS
      return Math.ceil(part.file.file_data.length / PDF_PAGE) * PDF_PAGE_TOKENS
    })
    return sum + MESSAGE_TOKENS + tokens.reduce((one, other) => one + other, 0)
  }, 0)
}

/** In quota units; undefined where the price is not known. */
export function estimateQuota(
  price: PricedModel | undefined,
  groupRatio: number,
  quotaPerUnit: number,
  usage: Usage,
): number | undefined {
  if (!price) return undefined
  if (price.quota_type === 1) return price.model_price * quotaPerUnit * groupRatio
  const { model_ratio, completion_ratio } = modelFor(price, usage.prompt)
  return (usage.prompt + usage.completion * completion_ratio) * model_ratio * groupRatio
}
