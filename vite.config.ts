import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const gateway = `http://localhost:${process.env.PORT ?? 3000}`

/** What the gateway answers; everything else is the console's, whose own sources have names like `/api.ts`. */
const gatewayPaths =
  '^/(api|v1|v1beta|v2|openai|pg|mj|suno|kling|jimeng|dashboard|pass)(/|$)|^/(?!screens/)[^/]+/mj/|^/(healthz|readyz|metrics)$'

/** What checks what somebody types. Few screens do that, and what all of them share does not. */
const ruleParts = /\/node_modules\/zod\/|\/contract\/credentials/

/** What nearly every screen has: a heading, a field, a note, a button that copies. */
const basicParts =
  /\/console\/ui\/(page\/(page|state|load-failure)|content\/(callout|copy-button)|fields\/fields|layers\/confirm)\.|@tanstack\/react-router\/dist\/esm\/fileRoute|@mantine\/core\/esm\/components\/(Input|InputBase|TextInput|CloseButton)\/|@mantine\/hooks\/esm\/use-(id|uncontrolled)\/|lucide-react\/dist\/esm\/icons\/(copy|check|plus|triangle-alert)\.|\/contract\/accounts\.ts/

/** What all ways in have: small, and asked for together by whoever comes first. */
const signInParts =
  /\/console\/(sign-in\/(enter|invite-code|other-ways|passkeys\.|ways-in|captcha|legal|sign-in\.module)|ui\/page\/auth-card)/

const listParts =
  /\/console\/(lists\/(?!locales|options-panel|view-(list|name))|ui\/(table\/|amounts\/amount|content\/(tag|group-tag|nothing)|lists\/(?!record)|use-narrow|use-stable|layers\/delete-later)|format\.ts|page-size|page-of-rows|first-steps|unpriced)|\/contract\/unpriced|@tanstack\/(react-)?virtual/

const layerParts =
  /@mantine\/core\/esm\/components\/(Portal|Transition|Overlay)\/|\/console\/ui\/layers\/use-layer|@tanstack\/react-router\/dist\/esm\/useBlocker/

/** Fields of sums: of many forms, also where no setting is changed. */
const sumParts = /\/console\/(ui\/fields\/(quota-field|quick-choices)|plain-number)/

const overlayParts = /@mantine\/core\/esm\/components\/(Popover|FocusTrap|ScrollArea)\/|@floating-ui/

const choiceParts =
  /@mantine\/core\/(esm\/components|styles)\/(Combobox|Checkbox|PillsInput|Pill|PillGroup|Textarea|NativeSelect|TagsInput|Switch|InlineInput|Popover|ScrollArea)[/.]|\/console\/ui\/fields\/field-group\./

/** The editor, which comes later, needs these and nothing else of a form. */
const jsonParts = /\/console\/ui\/json-editor\/json-(error-position|editor\.module)/

/** Where something waits for a setting, its section is named: for that nobody needs the form that changes it. */
const sectionNames = /\/contract\/settings\/sections/

/** A field of the settings and one of a channel's form, which needs nothing else of the former. */
const editorField = /\/console\/ui\/json-editor\/json-editor\.tsx/

const settingParts =
  /\/console\/screens\/settings\/(settings-form|section|section-nav|field|html-field|secret-field|leave-guard|draft|save-options|use-save-section|options-query)\.|\/contract\/settings\/define/

export default defineConfig({
  root: 'console',
  // Nothing may run or load inline: the content security policy forbids it.
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    manifest: true,
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What every page needs travels as one file: ten KiB less than as the twenty it would be split into.
    // So do other things that come together: a browser asks for six files at a time, however small they are.
    rolldownOptions: {
      // That a machine is slow is no news to whoever starts the program on it.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'rules', test: ruleParts },
            { name: 'shell', tags: ['$initial'] },
            { name: 'basics', test: basicParts },
            { name: 'sign-in', test: signInParts },
            { name: 'lists', test: listParts },
            { name: 'rich', test: /\/console\/(ui\/content\/rich-content|reload-for-frames)/ },
            { name: 'layers', test: layerParts },
            { name: 'overlays', test: overlayParts },
            { name: 'choices', test: choiceParts },
            { name: 'sums', test: sumParts },
            { name: 'json', test: jsonParts },
            { name: 'sections', test: sectionNames },
            { name: 'setting-styles', test: /\/settings\.module\.css/ },
            { name: 'json-editor', test: editorField },
            { name: 'settings', test: settingParts },
          ],
        },
      },
    },
  },
  plugins: [react(), leaveOutSummaries(), leaveOutSchemas(), writePreloads()],
  server: {
    port: 5173,
    strictPort: true,
    proxy: { [gatewayPaths]: { target: gateway, ws: true } },
  },
})

/** What a call is for, in both languages: the server's description of the API tells it, and no screen does. */
const summary =
  /\bsummary: \{\s*zh: ('(?:[^'\\]|\\.)*'|`[^`]*`),\s*en: ('(?:[^'\\]|\\.)*'|"[^"]*"|`[^`]*`),?\s*\},/g

function leaveOutSummaries(): Plugin {
  return {
    name: 'leave-out-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/[\w-]+\.ts$/ },
      handler: code => ({ code: code.replace(summary, ''), map: null }),
    },
  }
}

/** Of the syntax tree, what is read here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly key?: { readonly name?: string }
  /** Of a function that is made. */
  readonly id?: { readonly name?: string } | null
  /** Of one that is called. */
  readonly callee?: { readonly name?: string }
}

interface Declared {
  readonly declarations?: readonly { readonly init: Node | null }[]
}
interface Statement extends Declared {
  readonly declaration?: Declared | null
}

const schemas = ['query', 'body', 'output']

/**
 * What a call takes and answers: the server checks it and describes it, and the console has its types. So no screen
 * carries the schemas of calls, nor what is only there for them.
 */
function leaveOutSchemas(): Plugin {
  return {
    name: 'leave-out-schemas',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/[\w-]+\.ts$/ },
      handler(code) {
        let kept = code
        for (const { start, end } of schemasIn(this.parse(code)).toReversed())
          kept = kept.slice(0, start) + kept.slice(end).replace(/^\s*,/, '')
        for (const { start, end } of madeIn(this.parse(kept)).toReversed())
          kept = `${kept.slice(0, start)}/*@__PURE__*/ (() => (${kept.slice(start, end)}))()${kept.slice(end)}`
        return { code: kept, map: null }
      },
    },
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** The members that are schemas, of `endpoint({ … })` and of what that function makes of it, in their order. */
function schemasIn(node: unknown, isOfEndpoint = false): readonly Node[] {
  if (!isNode(node)) return []
  if (isOfEndpoint && node.type === 'Property') return schemas.includes(node.key?.name ?? '') ? [node] : []
  const isEndpoint = (node.callee ?? node.id)?.name === 'endpoint'
  return Object.values(node).flatMap(child => schemasIn(child, isOfEndpoint || isEndpoint))
}

/**
 * What a file makes by calling something as soon as it is read, in its order. Nothing else is done by that: what nobody
 * asks for may be left out, which a bundler believes only of a function without arguments.
 */
function madeIn({ body }: { readonly body: readonly unknown[] }): readonly Node[] {
  return body.flatMap(statement => {
    const { declaration, declarations } = statement as Statement
    return (declaration?.declarations ?? declarations ?? []).flatMap(({ init }) =>
      init && callsSomething(init) ? [init] : [],
    )
  })
}

function callsSomething(node: unknown): boolean {
  if (!isNode(node) || /Function/.test(node.type)) return false
  return node.type === 'CallExpression' || Object.values(node).some(callsSomething)
}

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

/** Files under `/`, for each address and each language. */
type Preloads = Record<string, { files: string[]; zh: string[]; en: string[] }>

const signIn = 'sign-in/'
const lists = 'lists/'
/** The screens whose words are added to those of all lists. */
const listScreens = [
  'channel',
  'log',
  'midjourney',
  'pricing',
  'redemption',
  'task',
  'token',
  'topup',
  'user',
]
/** What an address shows where it is not the screen of its own name. */
const addresses: Record<string, { modules: readonly string[]; texts: readonly string[] }> = {
  '/': { modules: ['home/screen.tsx'], texts: ['home/'] },
  '/login': { modules: ['login/screen.tsx'], texts: ['login/', signIn] },
  '/register': { modules: ['register/screen.tsx'], texts: ['register/', signIn] },
  '/reset': { modules: ['reset/request-screen.tsx'], texts: ['reset/', signIn] },
  '/user/reset': { modules: ['reset/confirm-screen.tsx'], texts: ['reset/', signIn] },
  '/oauth': { modules: ['oauth/screen.tsx'], texts: [signIn] },
  '/user/edit': { modules: ['own-account/screen.tsx'], texts: ['own-account/'] },
  '/chat2link': { modules: ['chat/screen.tsx'], texts: ['chat/'] },
  '/setting': tab('personal/personal-tab.tsx', ['settings/personal/', signIn]),
  '/setting?tab=personal': tab('personal/personal-tab.tsx', ['settings/personal/', signIn]),
  '/setting?tab=operation': tab('operation/operation-tab.tsx', ['settings/operation/']),
  '/setting?tab=system': tab('system-tab.tsx', []),
  '/setting?tab=other': tab('other-tab.tsx', []),
}

function tab(module: string, texts: readonly string[]) {
  return { modules: ['settings/screen.tsx', `settings/${module}`], texts: ['settings/', ...texts] }
}

function findPreloads(manifest: Manifest, page: string): Preloads {
  const own = Object.keys(manifest).flatMap(key => /^screens\/([\w-]+)\/screen\.tsx$/.exec(key)?.[1] ?? [])
  const all = {
    ...Object.fromEntries(
      own.map(name => [
        `/${name}`,
        {
          modules: [`${name}/screen.tsx`],
          texts: [`${name}/`, ...(listScreens.includes(name) ? [lists] : [])],
        },
      ]),
    ),
    ...addresses,
  }
  const named = (file: string) => page.includes(`"/${file}"`)
  const filesOf = (keys: readonly string[]) =>
    [...loadedWith(manifest, keys)]
      .flatMap(key => [manifest[key]?.file ?? '', ...(manifest[key]?.css ?? [])])
      .filter(file => file !== '' && !named(file))
  const textsIn = (language: string, folders: readonly string[]) =>
    ['', ...folders.map(folder => ([signIn, lists].includes(folder) ? folder : `screens/${folder}`))]
      .map(folder => `${folder}locales/${language}.ts`)
      .filter(key => manifest[key])
  return Object.fromEntries(
    Object.entries(all).map(([address, { modules, texts }]) => [
      address,
      {
        files: [...new Set(filesOf(modules.map(module => `screens/${module}`)))],
        zh: filesOf(textsIn('zh', texts)),
        en: filesOf(textsIn('en', texts)),
      },
    ]),
  )
}

function loadedWith(manifest: Manifest, keys: readonly string[]): Set<string> {
  const loaded = new Set<string>()
  const visit = (key: string) => {
    if (loaded.has(key)) return
    loaded.add(key)
    for (const next of manifest[key]?.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  return loaded
}

/**
 * Writes beside the built console which files each address of it needs, so that the server can name them in the
 * page: a browser that hears of them from the shell's script hears of them a round trip and a half later.
 */
function writePreloads(): Plugin {
  return {
    name: 'write-preloads',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const manifest: Manifest = JSON.parse(readFileSync(join(dir, '.vite/manifest.json'), 'utf8'))
      const page = readFileSync(join(dir, 'index.html'), 'utf8')
      writeFileSync(join(dir, 'preloads.json'), JSON.stringify(findPreloads(manifest, page)))
    },
  }
}
