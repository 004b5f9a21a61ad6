import { colorsTuple, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Dark red, the primary colour. Shade 7 carries white text (contrast 8.9), shade 8 is the header. */
const brand: MantineColorsTuple = [
  '#fcf2f1',
  '#f8e1e0',
  '#efbfbd',
  '#e49895',
  '#d56f6d',
  '#c04a4b',
  '#a92e32',
  '#8f1d22',
  '#741519',
  '#4c0c10',
]

/** Warm greys. Shade 6 is the lightest that may carry text on white (contrast 5.1). */
const gray: MantineColorsTuple = [
  '#faf8f6',
  '#f4f1ed',
  '#e9e4de',
  '#dbd4cb',
  '#bfb6ac',
  '#978c82',
  '#746a62',
  '#584f48',
  '#3b342f',
  '#211c19',
]

/** Red, orange and green colour the notices. See docs/BEHAVIOUR.md#notices. */
export const theme = createTheme({
  colors: {
    brand,
    gray,
    red: colorsTuple('#b3261e'),
    orange: colorsTuple('#d9730d'),
    green: colorsTuple('#1c6b3c'),
  },
  primaryColor: 'brand',
  primaryShade: 7,
  black: gray[9],
  defaultRadius: 7,
  fontFamily: "'Inter Variable', 'Inter', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, 'Cascadia Mono', Consolas, monospace",
  headings: {
    fontFamily: "'Schibsted Grotesk Variable', 'Inter Variable', system-ui, sans-serif",
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
      styles: { root: { fontSize: 14.5, fontWeight: 600, height: 42 } },
    },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: {
      defaultProps: {
        size: 'md',
        visibilityToggleButtonProps: { 'aria-label': 'Show characters', tabIndex: 0 },
      },
    },
    NumberInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md', comboboxProps: { shadow: 'md' }, maxDropdownHeight: 300 } },
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
        overlayProps: { color: '#211c19', backgroundOpacity: 0.42 },
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
    Tooltip: { defaultProps: { withArrow: true, multiline: true, openDelay: 120 } },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end' } },
  },
})
