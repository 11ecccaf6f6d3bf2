import type { TokenPrice, VendorPrices } from './vendor-prices.ts'
import { ai21 } from './vendors/ai21.ts'
import { alibaba } from './vendors/alibaba.ts'
import { anthropic } from './vendors/anthropic.ts'
import { cloudflare } from './vendors/cloudflare.ts'
import { cohere } from './vendors/cohere.ts'
import { deepseek } from './vendors/deepseek.ts'
import { drawing, music } from './vendors/drawing-and-music.ts'
import { google } from './vendors/google.ts'
import { groq } from './vendors/groq.ts'
import { jina } from './vendors/jina.ts'
import { minimax } from './vendors/minimax.ts'
import { mistral } from './vendors/mistral.ts'
import { moonshot } from './vendors/moonshot.ts'
import { openai } from './vendors/openai.ts'
import { perplexity } from './vendors/perplexity.ts'
import { replicate } from './vendors/replicate.ts'
import { searches } from './vendors/searches.ts'
import { underMakersNames } from './vendors/under-makers-names.ts'
import { volcengine } from './vendors/volcengine.ts'
import { voyage } from './vendors/voyage.ts'
import { xai } from './vendors/xai.ts'
import { zhipu } from './vendors/zhipu.ts'

export const vendors: readonly VendorPrices[] = [
  ai21,
  alibaba,
  anthropic,
  cloudflare,
  cohere,
  deepseek,
  google,
  groq,
  jina,
  minimax,
  mistral,
  moonshot,
  openai,
  perplexity,
  replicate,
  searches,
  volcengine,
  voyage,
  xai,
  zhipu,
  drawing,
  music,
  underMakersNames,
]

export const pricePerMillionTokens: Readonly<Record<string, TokenPrice>> = Object.assign(
  {},
  ...vendors.map(({ tokens }) => tokens),
)

export const pricePerCall: Readonly<Record<string, number>> = Object.assign(
  {},
  ...vendors.map(({ calls }) => calls),
)
