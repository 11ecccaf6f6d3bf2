import { mayNameFiles } from '../../dialects/file-names.ts'
import { type FilesLead, leadOfFiles } from '../openai-kept/lead-to-files.ts'
import type { Order } from '../order/order.ts'
import { isForm, makesPictures, type PlainCall } from './plain-call.ts'

/** Which account has the pictures that are to be worked on; undefined for most, which bring them along. */
export function leadPictures(
  order: Order,
  { capability, form, body }: PlainCall,
): Promise<FilesLead | undefined> | undefined {
  if (!makesPictures(capability) || form !== 'openai' || isForm(body)) return undefined
  return mayNameFiles(body.text) ? leadOfFiles(order, body) : undefined
}
