import { colorsTuple, createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'
import brandShades from './brand-shades.json' with { type: 'json' }
import tokensByPurpose from './theme-purposes.json' with { type: 'json' }

/** Dark red, the primary colour. Shade 7 carries white text (contrast 8.9), shade 6 too (6.7). */
const brand = colorsTuple(brandShades)

const tokenOf = (name: string): string => `var(--veridict-${name})`
const scaleOf = (names: string) => names.split(' ').map(tokenOf) as unknown as MantineColorsTuple

/** Mantine's greys, from the background to the text. It uses this scale in the light theme only. */
const gray = scaleOf('hover fill line-soft line line-strong faint text-dim text-soft text text')
/** The greys that Mantine uses in the dark theme, from the text to the background. */
const dark = scaleOf('text text-soft text-dim placeholder line fill raised surface hover page')
/** Mantine's colours by purpose. Their values are tokens of `tokens.css`, which has each for either theme. */
const purposes = Object.fromEntries(
  Object.entries(tokensByPurpose).map(([purpose, token]) => [`--mantine-color-${purpose}`, tokenOf(token)]),
)

export const resolveThemeVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: purposes,
  dark: purposes,
})

const overlayProps = { color: 'var(--veridict-overlay)', backgroundOpacity: 1 }

const dropDown = {
  size: 'md',
  comboboxProps: { shadow: 'md' },
  // The list itself scrolls. A scroll area inside it would be a region that the keyboard cannot reach.
  withScrollArea: false,
  styles: { options: { maxHeight: 300, overflowY: 'auto' } },
}

/** Red, orange and green colour the notices. See docs/BEHAVIOUR.md#notices. */
export const theme = createTheme({
  colors: {
    brand,
    gray,
    dark,
    red: colorsTuple('#b3261e'),
    orange: colorsTuple('#d9730d'),
    green: colorsTuple('#1c6b3c'),
  },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 6 },
  black: 'var(--veridict-text)',
  defaultRadius: 7,
  fontFamily: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, 'Cascadia Mono', Consolas, monospace",
  headings: {
    fontFamily: "'Schibsted Grotesk Variable', 'Schibsted Grotesk Fallback', system-ui, sans-serif",
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '31px', lineHeight: '1.2' },
      h2: { fontSize: '21px', lineHeight: '1.3' },
      h3: { fontSize: '17px', lineHeight: '1.35' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { size: 'md' },
      // A font may be wider than ours: its text goes into the padding.
      styles: { root: { fontSize: 14.5, fontWeight: 600, height: 42 }, label: { overflow: 'visible' } },
    },
    // What is typed here is seldom about the person who types it.
    TextInput: { defaultProps: { size: 'md', autoComplete: 'off' } },
    PasswordInput: {
      defaultProps: {
        size: 'md',
        visibilityToggleButtonProps: { 'aria-label': 'Show characters', tabIndex: 0 },
      },
    },
    NumberInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    // Not of those that can be cleared: no key reaches the button for that.
    Select: { defaultProps: { ...dropDown, allowDeselect: false } },
    MultiSelect: { defaultProps: dropDown },
    Autocomplete: { defaultProps: dropDown },
    TagsInput: { defaultProps: dropDown },
    InputWrapper: {
      styles: {
        label: { fontSize: 14, fontWeight: 600, marginBottom: 6 },
        // Closer to its label than to the input.
        description: { marginTop: -4, marginBottom: 2, lineHeight: 1.45 },
        error: { fontSize: 13.5, lineHeight: 1.45 },
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        padding: 'lg',
        overlayProps,
        closeButtonProps: { 'aria-label': 'Close dialog' },
      },
      styles: {
        title: {
          paddingInlineEnd: 12,
          fontFamily: 'var(--mantine-font-family-headings)',
          fontSize: 19,
          fontWeight: 650,
          lineHeight: 1.3,
          overflowWrap: 'anywhere',
        },
      },
    },
    Drawer: { defaultProps: { overlayProps, closeButtonProps: { 'aria-label': 'Close dialog' } } },
    // A header element outside of main would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Tooltip: { defaultProps: { withArrow: true, multiline: true, openDelay: 120 } },
    Menu: {
      // The placeholder, a focusable element that is no item, is not allowed in a menu. Without it the first
      // item takes the focus.
      defaultProps: { shadow: 'md', position: 'bottom-end', withInitialFocusPlaceholder: false },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close notice' } } },
  },
})
