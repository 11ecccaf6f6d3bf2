import './ui/looks/styles.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { shellText } from './locales/catalogue.ts'
import { queryClient } from './query-client.ts'
import { reloadAfterUpgrade } from './reload-after-upgrade.ts'
import { router } from './router.ts'
import { selfQuery } from './self.ts'
import { readUser } from './session.ts'
import { statusQuery } from './status.ts'
import { readStored } from './storage.ts'
import { loadText } from './text.ts'
import { keepFocus } from './ui/layers/keep-focus.ts'
import { colorSchemeManager, theme } from './ui/looks/theme.ts'
import { watchStyles } from './ui/page/missing-styles.ts'

/** Milliseconds; later the page comes as it is. */
const LONGEST_WAIT = 600

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
// Where react-remove-scroll, under Mantine's overlays, looks for the nonce of its style tags.
Object.assign(globalThis, { __webpack_nonce__: nonce })

// The styles ask for the font when something is drawn with it; until then the network has little else to do.
document.fonts.load('14px "Geist Variable"').catch(() => {})
reloadAfterUpgrade()
watchStyles()
keepFocus()
const isFirstVisit = readStored('status') === null
const status = queryClient.prefetchQuery(statusQuery).catch(() => {})
const user = readUser()
if (user) queryClient.prefetchQuery(selfQuery(user.id)).catch(() => {})
router.load().catch(() => {})
await loadText(shellText)
// What the server tells everyone decides what there is to see; without it the page would move under its reader.
if (isFirstVisit) await Promise.race([status, new Promise(resolve => setTimeout(resolve, LONGEST_WAIT))])

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
        getStyleNonce={() => nonce}
        deduplicateCssVariables={false}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
