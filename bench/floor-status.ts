/** The runtime's own limit: the same bytes from a bare Bun.serve. Arguments: a port and the file to serve. */

import { readFileSync } from 'node:fs'

const [port, file = ''] = process.argv.slice(2)
const body = readFileSync(file, 'utf8')
const headers = { 'content-type': 'application/json; charset=utf-8' }

Bun.serve({ port: Number(port), hostname: '127.0.0.1', fetch: () => new Response(body, { headers }) })
