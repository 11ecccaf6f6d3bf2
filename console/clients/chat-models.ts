const video = /^sora|seedance|^veo-|hailuo|^kling|^vidu|^jimeng|[-_][tir]2v|^[ti]2v/i
const isOther =
  /embed|whisper|tts|transcribe|dall-e|image|moderation|rerank|realtime|^mj_|^suno|^swap_face|audio|bge-|davinci-002|babbage|^mistral-(ocr|document-ai)|-search$/i

/** By its name, which is all there is to go by. Others have addresses of their own. */
export function answersChats(model: string): boolean {
  return !isOther.test(model) && !video.test(model)
}

const outputless = /embed|rerank|bge-|moderation/i

/** By its name too: what it answers is no text, and nothing is paid for that. */
export function writesNothing(model: string): boolean {
  return outputless.test(model)
}

/** By its name again: what a price for a call of it is for. */
export function pricedUnit(model: string): 'call' | 'second' | 'page' {
  if (/^mistral-(ocr|document-ai)/i.test(model)) return 'page'
  return video.test(model) && !/image|t2i/i.test(model) ? 'second' : 'call'
}

const small = /haiku|(?<!ge)mini|nano|flash|lite/i

/** One of the cheaper and quicker of its family, by its name again. */
export function isSmall(model: string): boolean {
  return small.test(model)
}
