import { answersChats } from '../../chat-models.ts'

/**
 * Those that answer a chat, which a first call is. One without a price would be refused, so it is only named
 * where none has any.
 */
export function pickChatModels(lists: readonly string[], priced: ReadonlySet<string>): string[] {
  const names = lists.flatMap(list => list.split(',').map(name => name.trim()))
  const chats = [...new Set(names)].filter(name => name !== '' && answersChats(name))
  const answered = chats.filter(name => priced.has(name))
  return answered.length > 0 ? answered : chats
}
