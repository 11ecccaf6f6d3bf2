/**
 * Those that answer a chat. Others have addresses of their own, and a first call is a chat. One without a price
 * would be refused, so it is only named where none has any.
 */
export function pickChatModels(lists: readonly string[], priced: ReadonlySet<string>): string[] {
  const names = lists.flatMap(list => list.split(',').map(name => name.trim()))
  const chats = [...new Set(names)].filter(name => name !== '' && !isOther.test(name))
  const answered = chats.filter(name => priced.has(name))
  return answered.length > 0 ? answered : chats
}

const isOther =
  /embed|whisper|tts|transcribe|dall-e|image|moderation|rerank|realtime|^mj_|^suno|^sora|audio|bge-|davinci-002|babbage/i
