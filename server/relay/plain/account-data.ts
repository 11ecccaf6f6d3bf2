import { type FindAccountData, findIn, findInPart, listOf, prefixed } from '../../dialects/account-data.ts'
import { embeddedData } from '../../dialects/gemini/account-data.ts'
import { asObject } from '../../dialects/json.ts'
import type { PlainCall } from './plain-call.ts'

/** How to find what a call only names; undefined for calls in which nothing of the kind can stand. */
export function accountDataIn({ capability, form, dialect }: PlainCall): FindAccountData | undefined {
  switch (capability) {
    case 'count-tokens':
      return form === 'gemini' ? countedByGoogle(dialect.accountData) : dialect.accountData
    case 'embeddings':
      return form === 'gemini' ? embeddedData : undefined
    case 'images':
    case 'image-edits':
      return picturesIn
    default:
      return undefined
  }
}

/** What is counted may stand in a request inside the request. */
function countedByGoogle(find: FindAccountData): FindAccountData {
  return body => {
    const inner = asObject(body.generateContentRequest)
    return find(body) ?? (inner && prefixed('generateContentRequest', find(inner)))
  }
}

const picturesIn: FindAccountData = body =>
  findIn(listOf(body.images), 'images', findInPart) ?? findInPart(body)
