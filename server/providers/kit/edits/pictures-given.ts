import { listOf } from '../../../dialects/account-data.ts'
import { asObject, asText, type Json, type JsonObject } from '../../../dialects/json.ts'
import { refuseField, refuseNamed } from '../../../dialects/refuse.ts'

/** Addresses of the pictures that come with a prompt: in OpenAI's words `images`, with many vendors' clients `image`. */
export function picturesGiven({ image, images }: JsonObject): string[] {
  return [...listOf(images), ...listOf(image)].map(addressOf)
}

/** The same where there is nothing to do without one. */
export function picturesToEdit(fields: JsonObject): [string, ...string[]] {
  const [first, ...more] = picturesGiven(fields)
  return first === undefined ? refuseField('image', 'field.required') : [first, ...more]
}

function addressOf(picture: Json): string {
  const { image_url, url, file_id } = asObject(picture) ?? { url: picture }
  // Files that were put up before are with another vendor.
  if (file_id !== undefined) refuseNamed('file_id')
  return asText(asObject(image_url)?.url ?? image_url ?? url) || refuseField('image', 'field.text')
}
