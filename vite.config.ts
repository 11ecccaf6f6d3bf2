import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const gateway = `http://localhost:${process.env.PORT ?? 3000}`

/** What the gateway answers; everything else is the console's, whose own sources have names like `/api.ts`. */
const gatewayPaths =
  '^/(api|v1|v1beta|pg|mj|suno|dashboard)(/|$)|^/(?!screens/)[^/]+/mj/|^/(healthz|readyz|metrics)$'

const listParts =
  /\/console\/(ui\/(table\/(?!column-choos)|tag|group-tag|pager|pages-around|filter-bar|search-box|delete-later)|format\.ts|page-size|page-of-rows)|@tanstack\/(react-)?virtual/

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
    // So does what every list has, which would be fifteen more.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'] },
            { name: 'lists', test: listParts },
          ],
        },
      },
    },
  },
  plugins: [react()],
  server: {
    port: 5173,
    strictPort: true,
    proxy: { [gatewayPaths]: { target: gateway, ws: true } },
  },
})
