/** Those that answer a chat. Others have addresses of their own, and a first call is a chat. */
export function pickChatModels(lists: readonly string[]): string[] {
  const names = lists.flatMap(list => list.split(',').map(name => name.trim()))
  return [...new Set(names)].filter(name => name !== '' && !isOther.test(name))
}

const isOther =
  /embed|whisper|tts|transcribe|dall-e|image|moderation|rerank|realtime|^mj_|^suno|^sora|audio|bge-|davinci-002|babbage/i
