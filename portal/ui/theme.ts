import {
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
  createTheme,
  defaultVariantColorsResolver,
} from '@mantine/core';
import { keepOpen } from './press.ts';

/** Shade 6 is the accent on light ground, shade 4 on dark; the rest is for soft fills and charts. */
const accent: MantineColorsTuple = [
  '#e2f1ef',
  '#c5e4e0',
  '#9fd3cc',
  '#74d4ca',
  '#4fc4b8',
  '#1d8f85',
  '#0b6b64',
  '#09564f',
  '#074640',
  '#053833',
];
const gray: MantineColorsTuple = [
  '#f6f7f7',
  '#eef1f1',
  '#e4e9e8',
  '#dbe1e0',
  '#c3cbca',
  '#9aa8a5',
  '#6f7f7c',
  '#4b5a58',
  '#31403e',
  '#14201f',
];
const dark: MantineColorsTuple = [
  '#e7eeed',
  '#c9d4d2',
  '#a3b3b0',
  '#7f918e',
  '#3b4947',
  '#2b3736',
  '#171f1e',
  '#0f1514',
  '#0b100f',
  '#070a0a',
];

/** Ink on the accent: white on the light theme's, near black on the dark one's. Mantine reckons it from one shade for both. */
const inkOnAccent: VariantColorsResolver = (input) => {
  const colours = defaultVariantColorsResolver(input);
  const accented = input.color === undefined || input.color === 'accent';
  return input.variant === 'filled' && accented ? { ...colours, color: 'var(--hw-on-accent)', hover: 'var(--hw-accent-hover)' } : colours;
};

/** A list of choices scrolls by itself (tokens.css): the frame that Mantine puts into it for that has no role, and takes a Tab. */
const choices = { defaultProps: { withScrollArea: false } };

export const theme = createTheme({
  variantColorResolver: inkOnAccent,
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 4 },
  colors: { accent, gray, dark },
  white: '#ffffff',
  black: '#14201f',
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '2rem' },
      h2: { fontSize: '1.125rem', lineHeight: '1.5rem' },
      h3: { fontSize: '1rem', lineHeight: '1.5rem' },
    },
  },
  defaultRadius: 'sm',
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'md' } },
    // White on the dark theme's accent is 2:1.
    Checkbox: { defaultProps: { iconColor: 'var(--hw-on-accent)' } },
    Radio: { defaultProps: { iconColor: 'var(--hw-on-accent)' } },
    // A dialog's head is no second banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    Modal: {
      defaultProps: {
        centered: true,
        // A first toast stands above it, and over none of its buttons; on a screen that is low there is no such room.
        yOffset: 'max(5dvh, min(72px, 12dvh))',
        overlayProps: { backgroundOpacity: 0.45, onClickCapture: keepOpen },
        transitionProps: { transition: 'fade', duration: 120 },
      },
    },
    // Beside its button, so that it belongs to a part of the page; and nothing in it that is none of its items.
    Menu: {
      defaultProps: { shadow: 'md', transitionProps: { duration: 80 }, withinPortal: false, withInitialFocusPlaceholder: false },
    },
    // Beside its field, so that it belongs to a part of the page, and to the dialog that the field stands in.
    Combobox: { defaultProps: { shadow: 'md', withinPortal: false } },
    // Its field has the keys; what scrolls is a stop of Tab otherwise.
    ComboboxOptions: { defaultProps: { tabIndex: -1 } },
    // A list holds options alone, the word that there are none too.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true } },
    Select: choices,
    MultiSelect: choices,
    Autocomplete: choices,
    // Beside what it explains, so that it belongs to a part of the page.
    Tooltip: { defaultProps: { openDelay: 350, withArrow: false, withinPortal: false } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
});

/** Mantine's own dimmed, error, placeholder and border colours miss AA; ours come from the tokens, in both themes. */
const shared = {
  '--mantine-color-body': 'var(--hw-bg)',
  '--mantine-color-text': 'var(--hw-ink)',
  '--mantine-color-bright': 'var(--hw-ink)',
  '--mantine-color-dimmed': 'var(--hw-dim)',
  '--mantine-color-placeholder': 'var(--hw-dim)',
  '--mantine-color-error': 'var(--hw-bad)',
  '--mantine-color-success': 'var(--hw-ok)',
  '--mantine-color-anchor': 'var(--hw-accent)',
  '--mantine-color-default': 'var(--hw-surface)',
  '--mantine-color-default-hover': 'var(--hw-sunk)',
  '--mantine-color-default-color': 'var(--hw-ink)',
  '--mantine-color-default-border': 'var(--hw-edge)',
  '--mantine-primary-color-contrast': 'var(--hw-on-accent)',
  '--mantine-color-accent-text': 'var(--hw-accent)',
  '--mantine-color-accent-filled': 'var(--hw-accent)',
  '--mantine-color-accent-filled-hover': 'var(--hw-accent-hover)',
  '--mantine-color-accent-light': 'var(--hw-accent-soft)',
  '--mantine-color-accent-light-hover': 'var(--hw-accent-soft)',
  '--mantine-color-accent-light-color': 'var(--hw-accent)',
  '--mantine-color-accent-outline': 'var(--hw-accent)',
  '--mantine-color-gray-text': 'var(--hw-dim)',
  '--mantine-color-gray-light-color': 'var(--hw-ink)',
  '--mantine-color-red-text': 'var(--hw-bad)',
  '--mantine-color-red-outline': 'var(--hw-bad)',
  '--mantine-color-red-light': 'var(--hw-bad-soft)',
  '--mantine-color-red-light-color': 'var(--hw-bad)',
  '--mantine-color-green-light': 'var(--hw-ok-soft)',
  '--mantine-color-green-light-color': 'var(--hw-ok)',
  '--mantine-color-yellow-light': 'var(--hw-warn-soft)',
  '--mantine-color-yellow-light-color': 'var(--hw-warn)',
};
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...shared, '--mantine-color-red-filled': '#a51d1d', '--mantine-color-red-filled-hover': '#861616' },
  dark: { ...shared, '--mantine-color-red-filled': '#a51d1d', '--mantine-color-red-filled-hover': '#861616' },
});
