import {
  createTheme,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'

const chinese = '"PingFang SC", "Microsoft YaHei UI", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC"'

const iris: MantineColorsTuple = [
  '#eeecfc',
  '#d9d5fa',
  '#c2bbff',
  '#a9a0ff',
  '#8a7ff0',
  '#6e61e4',
  '#5648d8',
  '#483bc0',
  '#3b309f',
  '#2e267d',
]

/** Mantine's own greys in ours, so that parts nobody has styled yet belong to the page too. */
const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eef0f4',
  '#e3e6eb',
  '#d3d8df',
  '#b9c0ca',
  '#8a93a0',
  '#6f7885',
  '#59616e',
  '#3a404a',
  '#14171c',
]
const dark: MantineColorsTuple = [
  '#e8eaee',
  '#c4c9d1',
  '#9aa3b0',
  '#6b7482',
  '#2a2f38',
  '#262b33',
  '#1e222a',
  '#15181e',
  '#0e1014',
  '#0a0c0f',
]

/** Buttons are ink, inverted in the dark; red only for what destroys. */
const variantColorResolver: VariantColorsResolver = input => {
  const border = '1px solid transparent'
  if (input.variant === 'filled' && (input.color === undefined || input.color === 'iris'))
    return { background: 'var(--ink)', hover: 'var(--ink-hover)', color: 'var(--ink-inverse)', border }
  if (input.variant === 'filled' && input.color === 'red')
    return { background: 'var(--red-fill)', hover: 'var(--red-fill)', color: '#fff', border }
  if (input.variant === 'subtle')
    return { background: 'transparent', hover: 'var(--hover)', color: 'var(--ink)', border }
  if (input.variant === 'default') {
    const line = '1px solid var(--button-line)'
    return { background: 'var(--panel)', hover: 'var(--hover)', color: 'var(--ink)', border: line }
  }
  return defaultVariantColorsResolver(input)
}

export const theme = createTheme({
  colors: { iris, gray, dark },
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 3 },
  variantColorResolver,
  fontFamily: `var(--latin), ${chinese}, system-ui, sans-serif`,
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '10px', xl: '10px' },
  defaultRadius: 'sm',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Without a variant of its own Mantine would paint it in the accent and never ask the resolver.
    Button: { defaultProps: { variant: 'filled' } },
    Badge: { styles: { root: { textTransform: 'none', letterSpacing: 0 } } },
  },
})

/** `boot.js` reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'theme-mode' })
