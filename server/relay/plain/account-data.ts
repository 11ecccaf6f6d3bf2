import {
  type FindAccountData,
  findIn,
  findInPart,
  isAccountAddress,
  listOf,
  prefixed,
} from '../../dialects/account-data.ts'
import { embeddedData } from '../../dialects/gemini/account-data.ts'
import { asObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { textLists } from '../request/odd-forms.ts'
import type { Form } from '../request/parse-multipart.ts'
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
    case 'ocr':
      return documentIn
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
  findIn(listOf(body.images), 'images', findInPart) ?? findInPart(body) ?? findAmong(body.images)

const documentIn: FindAccountData = ({ document }) => {
  const named = asObject(document)
  return named && prefixed('document', findInPart(named))
}

/** Some take a list of addresses. */
function findAmong(images: Json | undefined): string | undefined {
  const at = listOf(images).findIndex(isAccountAddress)
  return at < 0 ? undefined : `images[${at}]`
}

/** What a form names, as JSON would have it. */
export function namedInForm(form: Form): JsonObject {
  const { mask, ...texts } = textLists(form)
  return mask === undefined ? texts : { ...texts, mask: { url: mask } }
}
