// The console's words. Every screen has a catalogue of its own in two languages; only the active language
// is loaded. Messages are ICU, compiled when first used.

import { setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { useMemo, useSyncExternalStore } from 'react'
import { type Language, preferredLanguage } from '../contract/language.ts'
import { readStored, store } from './storage.ts'

type Messages<K extends string> = Readonly<Record<K, string>>
type Load<K extends string> = () => Promise<{ default: Messages<K> }>
type Values = Readonly<Record<string, string | number>>
export type Translate<K extends string> = (key: K, values?: Values) => string

export interface Catalogue<K extends string> {
  readonly name: string
  readonly load: Readonly<Record<Language, Load<string>>>
  /** Whose words these are added to. */
  readonly base?: Catalogue<string> | undefined
  /** Only for the types. */
  readonly words?: K
}

/** What translates with the words of this catalogue. */
export type TranslateOf<C> = C extends Catalogue<infer K> ? Translate<K> : never

const compiled = new Map<string, ReturnType<typeof compileMessage>>()
const i18n = setupI18n().setMessagesCompiler(compileOnce)
const wanted = new Map<string, Catalogue<string>>()
const loaded = new Set<string>()
const listeners = new Set<() => void>()
let language: Language = initialLanguage()

/** Lingui would compile a message again each time it is used. */
function compileOnce(message: string): ReturnType<typeof compileMessage> {
  let known = compiled.get(message)
  if (known === undefined) {
    known = compileMessage(message)
    compiled.set(message, known)
  }
  return known
}

export function catalogue<K extends string, B extends string = never>(
  name: string,
  zh: Load<K>,
  en: Load<NoInfer<K>>,
  base?: Catalogue<B>,
): Catalogue<K | B> {
  return { name, load: { zh, en }, base }
}

function initialLanguage(): Language {
  const stored = readStored('language')
  if (stored === 'zh' || stored === 'en') return stored
  return typeof document === 'undefined' ? 'zh' : preferredLanguage(navigator.languages.join(','))
}

export function currentLanguage(): Language {
  return language
}

/** Resolves when the catalogue's words can be used. Routes wait for it before they show their screen. */
export async function loadText(...catalogues: readonly Catalogue<string>[]): Promise<void> {
  for (const one of catalogues) wanted.set(one.name, one)
  await Promise.all(catalogues.map(one => loadIn(one, language)))
  i18n.activate(language)
}

async function loadIn(words: Catalogue<string>, into: Language): Promise<void> {
  const { name, base } = words
  if (loaded.has(`${into}/${name}`)) return
  const [read] = await Promise.all([readMessages(words, into), base && loadIn(base, into)])
  const messages = Object.entries(read)
  i18n.load(into, Object.fromEntries(messages.map(([key, text]) => [`${name}.${key}`, text])))
  loaded.add(`${into}/${name}`)
}

async function readMessages({ load, base }: Catalogue<string>, into: Language): Promise<Messages<string>> {
  const [own, shared] = await Promise.all([load[into](), base && readMessages(base, into)])
  return { ...shared, ...own.default }
}

export async function setLanguage(next: Language): Promise<void> {
  await Promise.all([...wanted.values()].map(one => loadIn(one, next)))
  language = next
  store('language', next)
  i18n.activate(next)
  document.documentElement.lang = next === 'zh' ? 'zh-CN' : 'en'
  for (const listener of listeners) listener()
}

/** For code outside components; components call `useText` so that they follow the language. */
export function translate<K extends string>({ name }: Catalogue<K>): Translate<K> {
  return (key, values) => i18n._(`${name}.${key}`, values)
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage)
}

export function useText<K extends string>(words: Catalogue<K>): Translate<K> {
  const language = useLanguage()
  // The same function until the language changes: what is made with it may be kept.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words follow the language
  return useMemo(() => translate(words), [words, language])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
