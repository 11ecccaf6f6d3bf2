import { answersChats, isSmall } from '../../clients/chat-models.ts'

/**
 * Those that answer a chat, which a first call is; the small ones first, with which it costs next to nothing. One
 * without a price would be refused, so it is only named where none has any.
 */
export function pickChatModels(lists: readonly string[], priced: ReadonlySet<string>): string[] {
  const names = lists.flatMap(list => list.split(',').map(name => name.trim()))
  const chats = [...new Set(names)].filter(name => name !== '' && answersChats(name))
  const answered = chats.filter(name => priced.has(name))
  const named = answered.length > 0 ? answered : chats
  return [...named.filter(isSmall), ...named.filter(name => !isSmall(name))]
}
