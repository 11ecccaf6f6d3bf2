import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Colour = readonly [number, number, number]

const css = readFileSync(join(import.meta.dir, 'detail.module.css'), 'utf8')
const panels = { light: '#ffffff', dark: '#15181e' }

function paletteOf(scheme: 'light' | 'dark'): Colour[] {
  const block = css.split(`color-scheme="${scheme}"`)[1]?.split('}')[0] ?? ''
  return [...block.matchAll(/--series-\d: (#\w{6});/g)].map(([, hex]) => linear(hex ?? ''))
}

function linear(hex: string): Colour {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

/** As the eye without long, middle or short cones sees it. */
const eyes: Record<string, readonly [Colour, Colour, Colour]> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const dot = (a: Colour, b: Colour) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

function perceived(colour: Colour, eye: readonly [Colour, Colour, Colour]): Colour {
  const seen = eye.map(row => Math.min(1, Math.max(0, dot(row, colour))))
  const [r = 0, g = 0, b = 0] = seen
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function contrast(one: Colour, other: Colour): number {
  const light = (colour: Colour) => dot([0.2126, 0.7152, 0.0722], colour) + 0.05
  return Math.max(light(one), light(other)) / Math.min(light(one), light(other))
}

test.each(['light', 'dark'] as const)('the %s series are told apart by every eye', scheme => {
  const palette = paletteOf(scheme)
  expect(palette).toHaveLength(7)
  for (const colour of palette) expect(contrast(colour, linear(panels[scheme]))).toBeGreaterThanOrEqual(3)
  for (const eye of Object.values(eyes)) {
    const seen = palette.map(colour => perceived(colour, eye))
    const distances = seen.flatMap((one, at) =>
      seen.slice(at + 1).map(other => Math.hypot(...one.map((value, part) => value - (other[part] ?? 0)))),
    )
    expect(Math.min(...distances)).toBeGreaterThan(0.09)
  }
})
