import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scenes } from './scenes.ts'

const screens = join(import.meta.dir, '../../console/screens')
/** They show the application of someone else; `/chat/$id` stands for them. */
const elsewhere = ['/chat', '/chat2link']

/** The addresses of a screen: that of its list, and those of its drawers below. */
function addressesOf(file: string): string[] {
  const paths = [...readFileSync(join(screens, file), 'utf8').matchAll(/\bpath: '([^']*)'/g)].map(
    ([, path = '']) => path,
  )
  return paths.map(path => (path.startsWith('/') || path === '$' ? path : `${paths[0]}/${path}`))
}

function matches(address: string, path: string): boolean {
  if (address === '$') return path === '/no/such/page'
  const pattern = address.replace(/\$\w+/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path)
}

test('every address of the console has a scene, and no two scenes share a name', () => {
  const addresses = [...new Bun.Glob('*/route.ts').scanSync(screens)].flatMap(addressesOf)
  expect(addresses.length).toBeGreaterThan(30)
  const seen = scenes.map(({ path }) => path.split('?')[0] ?? '')
  expect(addresses.filter(address => !seen.some(path => matches(address, path))).sort()).toEqual(elsewhere)
  expect(new Set(scenes.map(({ name }) => name)).size).toBe(scenes.length)
})
